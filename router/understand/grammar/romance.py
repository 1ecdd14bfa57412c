"""French, Spanish, Italian and Portuguese: their words, and the phrases they build alike."""

from router.understand.grammar import absolute, relative, romance_words
from router.understand.grammar.lexicon import Language, Rule, rule

FRENCH = Language(
    "fr",
    {"janvier": 1, "février": 2, "fevrier": 2, "mars": 3, "avril": 4, "mai": 5, "juin": 6,
     "juillet": 7, "août": 8, "aout": 8, "septembre": 9, "octobre": 10, "novembre": 11,
     "décembre": 12, "decembre": 12},
    {"lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6},
    {"minute": "minute", "minutes": "minute", "heure": "hour", "heures": "hour", "jour": "day",
     "jours": "day", "semaine": "week", "semaines": "week", "week-end": "weekend",
     "weekend": "weekend", "mois": "month", "trimestre": "quarter", "an": "year", "ans": "year",
     "année": "year", "années": "year"},
    {"un": 1, "une": 1, "deux": 2, "trois": 3, "quelques": 3, "quatre": 4, "cinq": 5, "six": 6,
     "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "douze": 12, "quinze": 15},
    {"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1, "après-demain": 2},
    {"printemps": 1, "été": 2, "automne": 3, "hiver": 4},
    {"matin": "morning", "après-midi": "afternoon", "soir": "evening", "nuit": "night"},
)  # fmt: skip
SPANISH = Language(
    "es",
    {"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7,
     "agosto": 8, "septiembre": 9, "setiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12},
    {"lunes": 0, "martes": 1, "miércoles": 2, "miercoles": 2, "jueves": 3, "viernes": 4,
     "sábado": 5, "sabado": 5, "domingo": 6},
    {"minuto": "minute", "minutos": "minute", "hora": "hour", "horas": "hour", "día": "day",
     "días": "day", "dia": "day", "dias": "day", "semana": "week", "semanas": "week",
     "fin de semana": "weekend", "mes": "month", "meses": "month", "trimestre": "quarter",
     "año": "year", "años": "year"},
    {"un": 1, "una": 1, "dos": 2, "un par de": 2, "tres": 3, "unos": 3, "unas": 3, "cuatro": 4,
     "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "doce": 12},
    {"anteayer": -2, "antes de ayer": -2, "ayer": -1, "hoy": 0, "pasado mañana": 2},
    {"primavera": 1, "verano": 2, "otoño": 3, "invierno": 4},
    {"mañana": "morning", "tarde": "afternoon", "noche": "night"},
)  # fmt: skip
ITALIAN = Language(
    "it",
    {"gennaio": 1, "febbraio": 2, "marzo": 3, "aprile": 4, "maggio": 5, "giugno": 6, "luglio": 7,
     "agosto": 8, "settembre": 9, "ottobre": 10, "novembre": 11, "dicembre": 12},
    {"lunedì": 0, "martedì": 1, "mercoledì": 2, "giovedì": 3, "venerdì": 4, "sabato": 5,
     "domenica": 6},
    {"ora": "hour", "ore": "hour", "giorno": "day", "giorni": "day", "settimana": "week",
     "settimane": "week", "mese": "month", "mesi": "month", "anno": "year", "anni": "year"},
    {"un": 1, "una": 1, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "dieci": 10},
    {"l'altro ieri": -2, "ieri": -1, "oggi": 0, "domani": 1, "dopodomani": 2},
    {"primavera": 1, "estate": 2, "autunno": 3, "inverno": 4},
)  # fmt: skip
PORTUGUESE = Language(
    "pt",
    {"janeiro": 1, "fevereiro": 2, "março": 3, "abril": 4, "maio": 5, "junho": 6, "julho": 7,
     "agosto": 8, "setembro": 9, "outubro": 10, "novembro": 11, "dezembro": 12},
    {"segunda-feira": 0, "terça-feira": 1, "quarta-feira": 2, "quinta-feira": 3, "sexta-feira": 4,
     "sábado": 5, "domingo": 6},
    {"hora": "hour", "horas": "hour", "dia": "day", "dias": "day", "semana": "week",
     "semanas": "week", "mês": "month", "meses": "month", "ano": "year", "anos": "year"},
    {"um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "dez": 10},
    {"anteontem": -2, "ontem": -1, "hoje": 0, "amanhã": 1, "depois de amanhã": 2},
    {"primavera": 1, "verão": 2, "outono": 3, "inverno": 4},
)  # fmt: skip


def dated(language: Language, of: str, months: str) -> tuple[Rule, ...]:
    """Dates, month with year, and bare months after the words in `months`."""
    return (
        rule(
            language,
            "date",
            rf"{{dom}}(?:er|º|°)?{of} {{month}}(?:(?:{of}|,| del)? {{year}})?",
            absolute.read_date,
        ),
        rule(language, "month_year", f"{{month}}(?:{of}| del)? {{year}}", absolute.read_month_year),
        rule(
            language,
            "days",
            rf"{{dom}}(?:er|º|°)? ?(?:-|au|al|a|à) ?{{dom2}}{of} {{month}}"
            rf"(?:(?:{of}|,| del)? {{year}})?",
            absolute.read_date,
        ),
        rule(language, "month", f"(?:(?P<lead>{months}) )?{{month}}", romance_words.read_month),
    )


def after_noun(
    language: Language, last: str, this: str, next_: str, needles: tuple[str, str]
) -> tuple[Rule, ...]:
    """Phrases whose adjective follows: "la semaine dernière", "el mes pasado"."""
    named = "(?:{weekday}|{month}|{season})"
    return (
        rule(language, "last_unit", f"{{unit}} (?:{last})", relative.unit_at(-1), needles[0]),
        rule(language, "next_unit", f"{{unit}} (?:{next_})", relative.unit_at(1), needles[1]),
        rule(
            language,
            "this_unit",
            f"(?:{this}) {{unit}}(?:-ci)?",
            relative.unit_at(0),
            gate=rf"\b(?:{this})\s",
        ),
        rule(language, "last_bare", f"{named} (?:{last})", relative.read_last_bare, needles[0]),
        rule(language, "next_bare", f"{named} (?:{next_})", relative.read_next_bare, needles[1]),
        rule(language, "day_word", "{daywd}", romance_words.read_day_word),
    )
