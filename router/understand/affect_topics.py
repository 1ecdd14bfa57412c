"""Fixed terms that hold a word for a feeling and speak of none: "happy path", "guilty verdict"."""

import re

TOPIC = "\ue000"  # a sign of nobody's: it keeps the place of a term, and is in no table

_MACHINE = (
    r"rust|tokio|go|golang|python|node|kernel|linux|bsd|xnu|wasm|threads?|go ?routines?"
    r"|process(?:es)?|servers?"
    r"|workers?|daemons?|services?|programs?|binary|builds?|jobs?|parsers?|indexers?|compilers?"
    r"|apps?|nodes|pods?|containers?|scripts?|code|drivers?|database|tests?|pipeline|functions?"
    r"|modules?|router|api|firmware|unwrap|index|nil|main|runtime|gateway|client|host|cluster|vm"
)
_CODE = re.compile(
    r"\bstack ?trace|\bbacktrace|\bcore ?dump|\bsegfault|\bgoroutine|\bunwrap\b|\b(?:nil|null) "
    r"pointer|\bexit code|\bruntime error|\bkernel\b|\brust\b|\bgolang\b|\bout of (?:memory|range)"
    r"|\bindex error|\bthread '",
    re.IGNORECASE,
)
_PANIC = re.compile(r"\bpanic(?:s|ked)?\b", re.IGNORECASE)
_TERMS = (
    # software
    r"(?:happy|sad) (?:paths?|eyeballs)",
    rf"(?:{_MACHINE}) (?:(?:did|does|has|have|had|will|would|to|suddenly|just|also|not|never) )?"
    r"panic(?:s|k?ed|king)?",
    rf"panic(?:s|ked)? (?:in|inside|from|on|by|of) (?:the )?(?:{_MACHINE})",
    r"panic(?:s|ked)?(?:\s?:|!?\()",
    r"panic(?:s|ked)? (?:errors?|handlers?|hooks?|logs?|messages?|traces?|stack|mode|button|room"
    r"|at line|at index|at the disco|recovery|unwind\w*|reason|dump|output|code|bars?|hardware)",
    r"(?:pools?|quotas?|memory|heap|disk|retries|budgets?|tokens?|resources?|inodes|ports|threads"
    r"|connections?|suppl(?:y|ies)|options|battery|credits|stock|limits?|attempts|funds|storage"
    r"|savings|possibilities|space|handles|descriptors) (?:(?:is|are|was|were|got|being|been) )?"
    r"exhausted",
    r"confused deput(?:y|ies)|confusion matri(?:x|ces)",
    r"optimistic(?:ally)? (?:lock\w*|concurrency|updat\w+|ui|rollups?|render\w*|mode|commits?"
    r"|replication|execution|response)",
    r"rage[- ](?:quit\w*|click\w*|bait\w*|rooms?|virus)",
    r"on edge (?:devices?|nodes?|servers?|cases?|locations?|functions?|computing|routers?|hardware"
    r"|runtimes?|browsers?)",
    r"re-?sent (?:the|an?|my|your|his|her|their|our|it|that|this|all|two|those) ?(?:\w+ )?"
    r"(?:e-?mails?|invoices?|links?|messages?|files?|codes?|invit\w+|forms?|letters?|requests?|packages?"
    r"|contracts?|documents?|confirmations?|reports?|orders?)",
    r"ticked off (?:the |my |a |an |every |all |each )?(?:\w+ )?(?:lists?|items?|box(?:es)?|tasks?"
    r"|todos?|checklists?)",
    # whatever is free of it
    r"[a-z]+-free",
    r"(?:guilt|stress|worry|frustration|anxiety|panic|regret|shame) free",
    # law
    r"(?:found|pleads?|pleaded|pled|plead|ruled|judged|declared) (?:\w+ ){0,2}?(?:not )?guilty",
    r"(?:verdict|plea)\W+(?:was |is |of )?(?:not )?guilty",
    r"(?:not )?guilty (?:verdicts?|pleas?|part(?:y|ies)|as charged|of (?:murder|fraud|theft|treason"
    r"|manslaughter|assault|perjury|contempt)|pleasures?|gear)",
    r"aggravat(?:ed|ing) (?:assault|burglary|robbery|battery|murder|factors?|circumstances?)",
    r"terror (?:attacks?|cells?|groups?|plots?|suspects?|watch)|(?:war|reign) (?:on|of) terror",
    # body and nature
    r"(?:central |peripheral )?nervous systems?|restless[- ]legs?|upset stomachs?|irritable bowel",
    r"(?:para)?sympathetic (?:nervous|strings?|detonation|resonance|vibration)",
    r"(?:skin|eye|throat) irritation|irritated (?:skin|eyes?|throat|scalp)",
    r"stressed (?:syllables?|vowels?|beats?|steel|concrete)|excited (?:states?|electrons?|atoms?)",
    r"depressed (?:areas?|regions?|econom(?:y|ies)|markets?|prices|buttons?|keys?)",
    r"depress(?:ing|ed)? the (?:\w+ )?(?:buttons?|keys?|pedal|brakes?|clutch|lever|plunger)",
    r"petrified (?:wood|forests?|trees?)|weeping (?:willows?|angels?|figs?)",
    r"(?:gloomy|miserable) weather",
    r"bored (?:holes?|a hole|(?:in)?to the (?:rock|ground|wall|wood)|through|pandas?|apes?|wells?)",
    r"distress(?:ed)? (?:signals?|calls?|beacons?|flares?|rockets?|jeans|denim|leather|wood"
    r"|furniture|assets?|debt|sales?)",
    r"bittersweet (?:chocolate|symphony)|turkish delights?|pumped up (?:the|my|a|both) (?:\w+ )?"
    r"(?:tires?|tyres?|balls?|mattress\w*|volume)|stoked the (?:fires?|stove|boiler|furnace)",
    r"let down (?:the|her|his|a) (?:ropes?|hair|ladder|anchor|tires?|tyres?)",
    # names and sayings
    r"happy (?:hours?|birthdays?|new year|holidays|meals?|feet|endings?|medium|numbers?|easter"
    r"|christmas|anniversary|thanksgiving|diwali)",
    r"merry[- ](?:go[- ]round\w*|christmas|men)|jolly roger|joy[- ]?(?:con|cons|division|stick)",
    r"grumpy cats?|angry birds?|lonely planet|lonely hearts|curious george|mad (?:max|men|libs)",
    r"(?:far|war|battle|rallying) cr(?:y|ies)|cry(?:ing)? wolf|crying (?:out loud|shame)",
    r"fast (?:and|&) (?:the )?furious|nick fury|fury road|(?:grapes )?wrath of (?:khan|the)"
    r"|grapes of wrath|hp envy|misery index|glee clubs?|sad lamps?|(?:walk|hall) of shame"
    r"|all the rage|rage against the machine|dread pirate"
    r"|worry (?:beads?|stones?)|jumpy (?:videos?|cursors?|footage)",
    r"frohe[sn]? (?:weihnachten|ostern|festtage|fest|neues)",
    r"anger management|stress tests?|fear factor",
)
_FIXED = re.compile(rf"(?<![\w'-])(?:{'|'.join(_TERMS)})(?!\w)", re.IGNORECASE)
_FIXED_UNSPACED = re.compile("开心果|快乐大本营")
# In a sentence in small letters they are somebody's name: "what did Joy cook".
_NAME = re.compile(r"(?<=[a-z,;] )(?:Joy|Bliss|Merry|Felicity|Serenity|Happy|Jolly|Fury)(?='s|\b)")
# A title of several capitals: "songs of The Lonely Island", "who voiced Happy Gilmore".
_TITLE_WORD = (
    "Happy|Sad|Angry|Lonely|Grumpy|Furious|Guilty|Jealous|Panic|Rage|Nervous|Scary|Restless"
)
_TITLE = re.compile(rf"(?<=[a-z,;] )(?:The (?:{_TITLE_WORD})\b|(?:{_TITLE_WORD})(?= [A-Z]))")
_FELT = re.compile(r"(?:feel|feels|felt|feeling|of|from|to) $")
LONGEST = 4_096  # characters; as many as MAX_TOKENS words are read from


def without_topics(text: str) -> str:
    """The text with each fixed term, and each name that is a word for a feeling, as one sign."""
    head = _FIXED_UNSPACED.sub(TOPIC, _FIXED.sub(TOPIC, text[:LONGEST]))
    text = _TITLE.sub(TOPIC, head + text[LONGEST:])
    text = _NAME.sub(lambda name: name[0] if _is_felt(name) else TOPIC, text)
    return _PANIC.sub(TOPIC, text) if _CODE.search(text) else text


def _is_felt(name: re.Match[str]) -> bool:
    return bool(_FELT.search(name.string, max(0, name.start() - 8), name.start()))
