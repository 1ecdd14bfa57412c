"""The words and phrases that the surface features of a question look for."""

# Words that vote for a feature, in English first, then the languages of the analyser.
WORDS: dict[str, str] = {
    "ask_when": "when when's wann quand cuándo cuando quando когда",
    "ask_number": "wieviel combien cuánto cuántos cuántas quanto quanti quante quantos quantas "
    "сколько",
    "ask_who": "who whom whose who's wer wen wem qui quién quiénes quem chi кто кого",
    "ask_what": "what what's whats was quoi qu'est qué que o cosa какой какая какое что",
    "ask_which": "which wich welche welcher welches quel quelle quels quelles cuál cuáles qual "
    "quais",
    "ask_where": "where where's wo wohin woher où dónde adónde onde dove где куда",
    "ask_how": "how wie comment cómo como come как",
    "ask_why": "why warum weshalb wieso pourquoi perché почему зачем",
    "order": "before after first earlier later then until since between previously originally vor "
    "nach avant après antes después до после",
    "recency": "recent recently lately latest newest current currently nowadays",
    "relative_day": "yesterday today tonight tomorrow ago gestern heute morgen hier demain ayer "
    "hoy mañana ontem hoje ieri oggi domani вчера сегодня завтра",
    "weekday_or_month": "monday tuesday wednesday thursday friday saturday sunday january "
    "february april june july august september october november december mondays fridays weekend",
    "clock_unit": "day days week weeks month months year years hour hours minute minutes decade "
    "century quarter morning afternoon evening night spring summer autumn winter",
    "deadline": "deadline due expire expires expired expiry schedule scheduled timestamp date "
    "dates birthday anniversary",
    "aggregate": "all every everything everyone list total totals altogether overall each sum "
    "count various different alle beide insgesamt zusammen gemeinsam sowohl todos todas ambos "
    "común tous toutes tutti tutte entrambi все всего",
    "compare": "compare compared comparison versus vs than same similar difference differ larger "
    "bigger older younger taller closer cheaper faster more most vergleiche",
    "shared": "both common share shares shared neither either together also sowohl ambos fois",
    "inference": "would could might likely considering given infer inferred suggest imply depend "
    "depends possible suitable support survive",
    "yes_no": "is are was were do does did can could would should has have had will am",
    "past": "did was were had",
    "perfect": "has have",
    "first_person": "i i'm im i've ive i'd i'll my me mine myself ich mein meine mich je j'ai ma "
    "mon mes yo mi mis me eu meu minha я мой моя мне",
    "we": "we we're we've our us wir unser nous notre nosotros nuestro nós nosso мы наш",
    "third_person": "he she they his her him them their it its",
    "assistant": "you your you're yours yourself u",
    "user": "user user's client customer",
    "relation": "mother father mom mum dad parents husband wife boyfriend girlfriend partner ex "
    "son daughter kids friend brother sister boss therapist",
    "possession": "name number address id code price cost size colour color password email phone "
    "title model brand version port capital author inventor",
    "advice": "tips ideas advice recommend recommendation recommendations suggest suggestions "
    "best good help guide options examples basics overview background summary summarise summarize",
    "chat": "hi hello hey thanks thank ok okay bye please joke yes no sorry cool funny",
    "about": "about über sobre про regarding",
    "intensifier": "so very really extremely completely totally too such never always",
    "negation": "not no never nobody nothing don't can't won't didn't isn't cannot",
    "superlative": "most least best worst biggest largest highest longest oldest tallest smallest",
    "generic_plural": "people women men children adults patients dogs cats students companies",
    "attribute": "number address id code price size colour color password passcode pin email mail "
    "phone title model brand version port name surname nickname username login key licence license "
    "plate serial iban isbn vat uuid imei ip url host hostname endpoint path file folder branch "
    "commit repo alias flag font type signature value amount rate fee salary budget deposit dose "
    "height width depth weight length capacity limit pressure temperature postcode zip street room "
    "seat gate shelf row spot owner supplier vendor courier assignee contact status reason breed "
    "score capital currency symbol abbreviation nummer adresse farbe größe passwort numéro couleur "
    "código contraseña número senha numero colore",
    "due": "last next first due until expiry expires expiration duration age birthday start end "
    "begins departure arrival renewal deadline timeline timing history",
    "counted": "total totals sum all count every everything both shared common overlap compared "
    "comparison cheaper cheapest number times trips visits across repeatedly together",
    "topic": "tips ideas basics advice guide help beginners methods practices introduction "
    "overview tutorial examples benefits causes effects symptoms risks prevention exercises "
    "options pros cons suggestions etiquette maintenance tipps ideen ratschläge conseils idées "
    "consejos dicas consigli советы",
    "definition": "mean means meaning define definition explain explained difference causes "
    "effects effect",
}
# Words that open an instruction.
COMMANDS = (
    "tell show explain give find play set turn add remind write describe summarise summarize book "
    "call send open stop start make put create delete remove cancel order draft let log store "
    "check restart refactor talk quiz suggest recommend catch brief schedule pay change update do "
    "continue remember walk move vacuum clean mount search pull look erzähl parle fale "
    "recomiéndame расскажи"
)
# Function words, each a feature of its own.
FUNCTION = (
    "a an the of in on at to for from by with and or if that this these those it my your i we you "
    "he she they what which who when where why how many much long is are was were do does did can "
    "could would should has have had will be been get got there any some about as than but because"
)

_EMOTION = (
    "feel|felt|emotion|mood|sentiment|happ[yi]|sad|sadden|unhapp|angr|anger|furious|mad\\b|livid|"
    "rage|annoy|irritat|frustrat|upset|anxi|worri|worry|nervous|afraid|scare|scary|fear|terrif|"
    "panic|stress|overwhelm|exhaust|burn(?:ed|t)? ?out|tired|depress|hopeless|despair|lonel|alone|"
    "homesick|miss(?:ed|ing)? (?:him|her|them|my|you)|cry|cried|tears|weep|wept|heartbr|hurt(?:s|"
    "ing)?\\b|pain|grie[fv]|mourn|guilt|asham|shame|embarrass|humiliat|regret|remorse|jealous|"
    "env[yi]|proud|pride|joy|excit|thrill|delight|ecstat|glad|relie[fv]|grateful|hope(?:d|s)?\\b|"
    "love[ds]?\\b|hate[ds]?\\b|disgust|gross|awful|terrible|horrib|disappoint|let ?down|betray|"
    "insult|offend|bitter|confus|insecure|worthless|self.esteem|confiden|suicid|trauma|abus|cheat|"
    "dread|fed up|sick of|stupid|laugh|smil|cheer|comfort|calm|awe|amaz|inspir|nostalg|bored|"
    "uneasy|devastat|crush|numb|empty|lol|lmao|omg|wow|ugh|traurig|angst|wütend|genervt|froh|"
    "fühl|gefühl|glücklich|einsam|enttäusch|ging es (?:mir|ihm|ihr)|stimmung|triste|peur|fier|"
    "colère|seul|honte|heureu|sentai[st]|senti(?:s|r)|déçu|humeur|miedo|llorar|feliz|vergüenza|"
    "siento|sentí|sintió|enfadad|enojad|contento|sola|medo|chor|desesper|frustrad|felic[ei]|"
    "arrabbiat|paura|piang|страшно|груст|стыд|плака|одинок|расстро|злил|обид|радост|"
    "tension|morale"
)
_UNIT = "(?:second|minute|hour|day|night|week|month|year|sprint|decade|time)s?"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|"
    "feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)

# Phrases, matched on the text in lower case.
PHRASES: dict[str, str] = {
    "opens_when": r"^\W*(?:since |until |till |and |so )?when(?:'s)?\b(?! (?:i|we|my|the) "
    r"\w+[^?]*$)",
    "asks_date": r"\b(?:what|which)(?:'s)?\s+(?:the\s+)?(?:time|day|date|year|month|decade|"
    r"century|season|semester|quarter|session)\b|\bdate of\b|\bhow long\b|\bhow old\b|\bhow "
    r"often\b|\b(?:since|until) when\b|\bsince\b.*\bhow\b|\bdepuis quand\b|\bseit wann\b|\ben qué "
    r"año\b|\ben quelle année\b|什么时候|几点|几号|哪一年|"
    r"いつ|何時|何年|언제|몇 시|когда|в каком году",
    "asks_duration": rf"\bhow (?:long|many {_UNIT})\b|\bfor how\b",
    "ago": r"\bago\b|\bsince\b|\buntil\b",
    "time_expression": rf"\b(?:last|next|past|this|previous|first) (?:{_UNIT}|{_WEEKDAY}|{_MONTH}|"
    rf"weekend|spring|summer|autumn|fall|winter|christmas|quarter|session)\b|\b(?:on|in|since|"
    rf"until|by|during|of|from|before|after|the) (?:{_WEEKDAY}|{_MONTH}|(?:1[0-9]|20)\d\d)\b|"
    rf"\b\d+ {_UNIT} ago\b|"
    r"\byesterday\b|\btoday\b|\btonight\b|\btomorrow\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(?:am|pm)\b",
    "year": r"\b(?:1[0-9]|20)\d\d\b",
    "year_range": r"\b(?:from|between)\b.{0,14}\b\d{4}\b.{0,6}\b(?:to|and|until)\b.{0,8}\b\d{4}\b|"
    r"\b\d{4}\s?[-–]\s?\d{4}\b",
    "before_or_after": r"\bbefore\b.*\b(?:or|and) after\b|\bbefore or after\b|\bwhich (?:came|"
    r"happened) first\b|\bin what order\b|\b(?:before|after) (?:the|my|our|i|we|\w+'s)\b",
    "last_time": r"\b(?:last|first) time\b|\bmost recent\b|\b(?:did|was|were) .*\b(?:last|first)\b",
    "how_many": r"\bhow many\b|\bwie viele\b|\bcuánt[oa]s\b|\bcombien\b|"
    r"\bquant[oa]s\b|多少|几个|何種類",
    "how_much": r"\bhow (?:much|far|big|tall|high|deep|wide|large)\b|\bwie viel\b",
    "aggregation": r"\bin total\b|\b(?:all|each|every) (?:of|the|my|our)\b|\bso far\b|\blist "
    r"(?:all|every|the|everything)\b|\bover the years\b|\bacross\b|\bhow many (?:different|"
    r"times)\b|全部|都",
    "plural_asked": r"\b(?:what|which)(?: (?:kinds?|types?|sorts?) of)? (?:[\w'-]+ "
    r"){0,2}?[\w'-]+[^s\W]s (?:do|does|did|has|have|are|were|is|was|both|still|share|in|to|use|"
    r"would|could)\b|\bwhat are\b",
    "which_of": r"\bwhich (?:\w+ )?of\b|\bwho among\b|\bwhich (?:is|was|one|came)\b",
    "wh_perfect": r"\b(?:what|which|where|who)\b.{0,40}\b(?:has|have)\b.{0,40}\w(?:ed|en|wn|ne|de|"
    r"id|ught)\b",
    "comparative": r"\b\w+er than\b|\bmore \w+\b.*\bthan\b|\b\w+er, \w+|\bwho(?:se)? (?:is|was|"
    r"scored) \w+\b.*,.* or\b|\bcompare\b|\bversus\b|\bvs\b",
    "in_common": r"\bin common\b|\bboth\b|\bshare\b|\bneither\b|\boverlap\b|\beach other\b",
    "relative_clause": r"\b(?!tell|show|is|was|so|say|said|think|know)\w{3,} (?:that|who|whose|"
    r"whom|which|where|when) (?:\w+)\b",
    "of_the": r"\bof the\b.*\bof\b|\bof the \w+ (?:that|who|whose|which|of)\b",
    "opens_inference": r"^\W*(?:would|could|can|does|do|is|are|did|was|were|has|have|might|"
    r"should) (?!you|i\b|we\b|there)",
    "opens_would": r"^\W*(?:would|could|might|considering|given)\b",
    "how_to": r"\bhow (?:to|do (?:i|you|we|people)|can (?:i|we|you)|should|does one)\b|\bbest "
    r"way\b|\bwhat should\b|的?怎么|方法|育て方|選び方|過ごし方",
    "what_is": r"^\W*(?:what is|what are|what's|whats|define|was ist)\b",
    "what_is_my": r"\b(?:what|which|who|where)(?:'s| is| are| was| were)? (?:my|our|the)\b",
    "wh_did": r"\b(?:what|which|where|who|whom)\b(?: [\w'-]+){0,3} (?:did|does|do|was|is)\b",
    "tell_about": r"\b(?:tell|talk|remind|know|remember|think|anything|notes|thoughts|let's "
    r"talk)\b.*\b(?:about|of|on)\b|\bwhat's (?:up|new|going on|left)\b|\bwhat do you\b|\bovervi|"
    r"\bsummar|расскажи",
    "feeling_asked": r"\b(?:how|what|when|why|did|was|were|does|do|is|has|times?|moments?|"
    r"days?)\b.*\b(?:feel|felt|mood|emotion\w*|reaction|react\w*|morale|sentiment|tone|seem|"
    r"sound)(?:s|ed)?\b",
    "i_feel": r"\b(?:i|i'm|im|i am|we|he|she) (?:\w+ )?(?:feel|felt|feeling|was so|am so|so|hate|"
    r"love|miss|cried|can't|cannot|lost|worry|dread|regret)\b",
    "opens_i": r"^\W*(?:i|i'm|im|i've|ive|my|when i|we|he|she|our|ich|je|j'|me|estoy|mi|я|мне|我|"
    r"私)\b",
    "long_statement": r"^[^?]{25,}[.!]?$",
    "question_and_statement": r"[.!].*\?\s*$",
    "emotion": rf"(?<![\w])(?:{_EMOTION})|难过|伤心|焦虑|"
    r"压力|想家|生气|害怕|心情|开心|高兴|孤独|寂し|不安|悔し|涙|悲し|怒って|怒り|嬉し|気持ち|"
    r"속상|슬|외롭|우울|힘들|화났|화가|기뻐|기분",
    "exclamation": r"!",
    "ends_question": r"[?？]\s*$",
    "quoted": r"[\"“”«»„]|(?<!\w)'[^']+'(?!\w)",
    "digits": r"\d",
    "and_": r"\band\b|&",
    "or_": r"\bor\b",
    "comma": r"[,;:]",
    "gerund_topic": r"^\W*\w+ing\b(?!.*\?)",
    "possessive": r"\w's\b",
    "placeholder": r"\[name\]|\[religion\]",
    "han": r"[\u4e00-\u9fff]",
    "kana": r"[\u3040-\u30ff]",
    "cyrillic": r"[\u0400-\u04ff]",
    "hangul": r"[\uac00-\ud7af]",
    "accents": r"[à-ÿ]",
    "numbered": r"\b(?:week|sprint|ticket|invoice|order|release|chapter|room|story|version|phase) "
    r"#?\d+\b",
    "number_of": r"\bnumber of\b|\bhow often\b|\bwie oft\b|"
    r"一共|总共|几次|全部で|合計|何回|何冊|모두|몇 번",
    "both_and": r"\bboth\b.*\band\b|\bsowohl\b.*\bals\b|\bà la fois\b|\btanto\b.*\bcomo\b|都",
    "who_east": r"谁|誰|누[구가]",
    "why_east": r"为什么|为何|为啥|怎么会|なぜ|どうして|何で|왜|почему",
    "what_east": r"(?<!为)什么(?!时候)|哪|何|どこ|무엇|뭐|какой|как зовут",
}
# Matched on the text as it was written.
CASED: dict[str, str] = {
    "identifier": r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{3,}\b|\b\w+_\w+|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}-\d+|"
    r"\b\w+\.(?:py|js|ts|csv|json|sql|md|yaml|log)\b|\b\d+\.\d+(?:\.\d+)?\b|\w+\(\)|\b0x[0-9a-f]+",
    "two_names": r"\b[A-Z]\w+(?:'s)? (?:and|or|nor) (?:\w+ )?[A-Z]\w+",
    "name_run": r"\b[A-Z][\w'’.]+ [A-Z][\w'’]+",
    "inner_name": r"\w[,']? [A-Z][\w'’]+",
    "acronym": r"\b[A-Z]{2,}\b",
}
