"""What the made-up dialogues are about: invented people, what they do, and what may be asked."""

from dataclasses import dataclass

NAMES = (
    "Ines", "Bruno", "Kavita", "Osman", "Lotte", "Pavel", "Yuki", "Amara", "Teodor", "Marisol",
    "Hugo", "Noor", "Sanna", "Felix", "Wren", "Idris",
)  # fmt: skip
TIMES = (
    "yesterday", "two days ago", "last week", "last weekend", "this morning", "last night",
    "a month ago", "three weeks ago",
)  # fmt: skip
SMALL_TALK = (
    "Good to hear from you again!", "How have you been?", "Not much new here, just the usual.",
    "The weather has been strange, hasn't it?", "I hope your week is going well.",
    "Let's catch up properly soon.", "That's so nice.", "Work keeps me busy as ever.",
    "I was just thinking about you.", "Take care, talk soon!", "Haha, that is so like you.",
    "What are your plans for the weekend?", "I should get some more sleep.", "Same here, honestly.",
    "I sat in traffic for two hours yesterday and the radio played the same three songs.",
    "My {kin} called last night and we talked for ages about nothing in particular.",
    "It rained all of last week here, so I mostly stayed in and tidied up a few drawers and boxes.",
    "I have been meaning to tell you how much I enjoyed our long talk the other day, {other}.",
    "Do you remember what {other} used to say about Mondays, and was that even true back then?",
    "I keep forgetting where I put my keys, this morning they were in the fridge of all places.",
    "A friend of mine moved away a month ago and the flat above me has been very quiet since then.",
    "We should really try the new restaurant next to the station, everybody goes there.",
)  # fmt: skip

SLOTS = {
    "craft": ("pottery", "weaving", "woodcarving", "glassblowing", "bookbinding", "origami"),
    "made": ("bowl", "scarf", "spoon", "vase", "notebook", "lamp", "candle holder"),
    "colour": ("blue", "striped", "dark red", "green", "speckled", "pale yellow"),
    "kin": ("sister", "uncle", "grandmother", "cousin", "neighbour", "niece", "father-in-law"),
    "place": ("the lake", "Lisbon", "the Alps", "Kyoto", "the north coast", "Oslo", "the desert"),
    "vehicle": ("an old van", "the night train", "a rented car", "a ferry", "two bicycles"),
    "animal": ("kitten", "beagle", "parrot", "rabbit", "tortoise", "greyhound"),
    "pet_name": ("Biscuit", "Captain", "Olive", "Pixel", "Mango", "Juno"),
    "instrument": ("cello", "banjo", "clarinet", "accordion", "drum kit", "ukulele"),
    "piece": ("a waltz", "a folk song", "film music", "a lullaby", "a tango"),
    "race": ("half marathon", "triathlon", "hill race", "open water swim", "charity walk"),
    "result": ("came in ninth", "finished in under two hours", "had to stop halfway",
               "beat my own record", "got a medal"),
    "dish": ("lentil curry", "plum cake", "dumplings", "paella", "sourdough bread", "ramen"),
    "cause": ("the school fair", "a birthday", "the street party", "a picnic", "the choir's lunch"),
    "job": ("a bakery", "the town library", "a software firm", "the animal hospital", "a theatre"),
    "role": ("night manager", "archivist", "tester", "receptionist", "stage designer"),
    "injury": ("sprained my ankle", "broke a tooth", "hurt my shoulder", "cut my hand"),
    "how": ("on the stairs", "at football practice", "while moving a wardrobe", "in the garden"),
    "book": ("a novel about lighthouses", "a biography of a cartographer", "a book on mosses",
             "a detective story set in Trieste", "a history of salt"),
    "thought": ("a bit slow", "wonderful to the last page", "sad but funny", "full of surprises"),
    "room": ("kitchen", "attic", "hallway", "balcony", "bathroom"),
    "change": ("new tiles", "a skylight", "shelves up to the ceiling", "a folding table"),
    "subject": ("Portuguese", "first aid", "bookkeeping", "astronomy", "sign language"),
    "school": ("the evening school", "the community centre", "an online academy", "the museum"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that happened. `{t}` is the time, `{name}` the person, the rest SLOTS."""

    told: str
    echo: str  # the listener, repeating words
    asked: str  # the listener asks on
    detail: str
    when: str  # answered by `told`
    what: tuple[tuple[str, str], ...]  # question, and which line answers it


TOPICS = (
    Topic("I joined a {craft} workshop {t}.", "A {craft} workshop sounds like fun!",
          "What did you make there?", "A {colour} {made}, and I gave it to my {kin}.",
          "When did {name} join the {craft} workshop?",
          (("What did {name} make at the {craft} workshop?", "detail"),
           ("Who got the {colour} {made} from {name}?", "detail"),
           ("Which workshop did {name} take part in?", "told"))),
    Topic("We travelled to {place} {t}.", "Oh, {place} must be lovely at this time.",
          "How did you get there?", "We took {vehicle} and my {kin} came along.",
          "When did {name} travel to {place}?",
          (("How did {name} get to {place}?", "detail"),
           ("Who went with {name} to {place}?", "detail"),
           ("Where has {name} been travelling?", "told"))),
    Topic("We adopted a {animal} {t}!", "A {animal}! I am so jealous.",
          "What is it called?", "{pet_name}. My {kin} picked the name.",
          "When did {name} get the {animal}?",
          (("What is the name of {name}'s {animal}?", "detail"),
           ("Who chose the name for {name}'s pet?", "detail"),
           ("What kind of pet does {name} have?", "told"))),
    Topic("I started playing the {instrument} {t}.", "The {instrument} is hard, isn't it?",
          "What are you practising?", "Mostly {piece}, because my {kin} likes it.",
          "When did {name} start to play the {instrument}?",
          (("What does {name} practise on the {instrument}?", "detail"),
           ("What instrument is {name} learning?", "told"))),
    Topic("I took part in a {race} {t}.", "Wow, a {race}, I could never do that.",
          "How did it go?", "I {result}, my {kin} was cheering for me.",
          "When was {name}'s {race}?",
          (("How did {name} do in the {race}?", "detail"),
           ("Who cheered for {name} at the {race}?", "detail"),
           ("Which sports event did {name} take part in?", "told"))),
    Topic("I cooked {dish} {t}.", "{dish}, I love that.",
          "Was there an occasion?", "It was for {cause}, and my {kin} asked for the recipe.",
          "When did {name} cook {dish}?",
          (("What did {name} cook the {dish} for?", "detail"),
           ("Who wanted {name}'s recipe?", "detail"),
           ("What has {name} been cooking?", "told"))),
    Topic("I began a new job at {job} {t}.", "Congratulations on {job}!",
          "What do you do there?", "I am the {role}, my {kin} told me about the opening.",
          "When did {name} start to work at {job}?",
          (("What is {name}'s position at {job}?", "detail"),
           ("Who told {name} about the job?", "detail"),
           ("Where does {name} work now?", "told"))),
    Topic("I {injury} {t}.", "Ouch, that must hurt.",
          "How did that happen?", "It happened {how}, luckily my {kin} was around.",
          "When did {name} get hurt?",
          (("How did {name}'s accident happen?", "detail"),
           ("What injury did {name} have?", "told"))),
    Topic("I finished {book} {t}.", "I have heard about {book}.",
          "Did you like it?", "It was {thought}. My {kin} had lent it to me.",
          "When did {name} finish reading {book}?",
          (("What did {name} think of {book}?", "detail"),
           ("Who lent {name} a book?", "detail"),
           ("What did {name} read?", "told"))),
    Topic("We redid the {room} {t}.", "The {room} needed it, you always said so.",
          "What is different now?", "It has {change}, which my {kin} built.",
          "When did {name} renovate the {room}?",
          (("What is new in {name}'s {room}?", "detail"),
           ("Which part of the home did {name} renovate?", "told"))),
    Topic("I signed up for a course in {subject} {t}.", "{subject} is useful, good for you.",
          "Where do you take it?", "At {school}, together with my {kin}.",
          "When did {name} sign up for {subject}?",
          (("Where does {name} learn {subject}?", "detail"),
           ("With whom does {name} take the course?", "detail"),
           ("What is {name} studying?", "told"))),
)  # fmt: skip
