"""Replies and pairs of questions, labelled by hand: what they say of the answer before them."""

COMPLAINING = (
    "no, wrong", "No.", "nope", "That's not right", "that is wrong, it was Ben", "Wrong again.",
    "this isn't what I asked", "No, that's not what I meant.", "Incorrect!", "you got that wrong",
    "I didn't ask for that", "that doesn't answer my question", "hm, not what I was looking for",
    "no no, wrong person", "sorry, that was wrong", "it's not true", "Still wrong.",
    "no, wrong. When did we move production?", "That's not the one I wanted", "that is a mistake",
)  # fmt: skip
RETRYING = (
    "try again", "please try again", "no, try once more", "Can you check again?", "look again",
    "once more please", "ok, search again", "redo it", "could you try that again",
)  # fmt: skip
NEUTRAL = (
    "what went wrong with the deploy?", "no worries, thanks", "No problem",
    "who was wrong about it?",
    "thanks, that's right", "yes", "When did we try again after the outage?", "not bad!",
    "is that not right?", "no idea, tell me about the budget", "Nothing else for now",
    "what is the wrong port?", "Notify Ana, please", "no one was at the meeting, was there?",
    "The wrong cable was delivered on Monday", "again, where does Julia work?",
    "I know what was wrong with the cluster", "no more peanuts for Joe", "true", "correct",
)  # fmt: skip

REPHRASED = (
    ("when did we move staging?", "what date did we move the staging cluster?"),
    ("staging cluster region", "which region is the staging cluster in?"),
    ("what did Ana say about the budget?", "what did Ana say about the offsite budget?"),
    ("how do I roll back a deploy?", "how do I roll back a failed deploy"),
    ("who is allergic to peanuts?", "which of us is allergic to peanuts?"),
    ("deploy error", "deploy error message from Tuesday's log"),
    ("what port does the indexer use", "the indexer uses what port number"),
    ("when is my dentist appointment", "dentist appointment this week, when is it"),
    ("name of the cat Maria adopted", "what did Maria name the cat she adopted"),
    ("why did E_AUTH_404 happen", "cause of E_AUTH_404"),
    ("books Joe loved", "which book did Joe love reading"),
    ("where does Maria's sister work", "where is Maria's sister Julia employed"),
)  # fmt: skip
OTHER_NEED = (
    ("when did we move staging?", "when did we move production?"),
    ("what did Ana say about the budget?", "what did Ben say about the budget?"),
    ("which port does the indexer use?", "which port does the gateway use?"),
    ("what happened on 3 June?", "what happened on 4 June?"),
    ("what is in ticket PAY-3317?", "what is in ticket PAY-3318?"),
    ("where does Julia work?", "where does Julia live?"),
    ("who is allergic to peanuts?", "what can I cook tonight?"),
    ("when is the dentist?", "when is the dentist?"),
    ("When is the dentist?", "when is the dentist"),
    ("when did we move staging?", "why did the deploy fail?"),
    ("how many people came in 2023?", "how many people came in 2024?"),
    ("what did we decide?", "what did we discuss?"),
    ("did the deploy work?", "and the rollback?"),
    ("what does Maria eat for breakfast on Sunday?", "what does Maria eat for dinner on Sunday?"),
    ("who fixed the broken indexer last week", "who fixed the broken gateway last week"),
    ("where is Ana moving to?", "when is Ana moving?"),
    ("staging cluster", "who broke the staging cluster after the audit in spring"),
    ("what does Maria do for sports?", "what does Joe do for sports?"),
)  # fmt: skip
