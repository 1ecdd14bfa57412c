"""Pairs in the five other languages that no rule was mended on: what stays is what they give.

Older text, newer text, as in pair_rows.py.
"""

REPLACES = (
    ("Unsere App ist mit Cordova gebaut", "Unsere App wurde von Cordova auf Flutter umgestellt"),
    ("Kim spielt sonntags Geige", "Kim spielt sonntags nicht mehr Geige"),
    ("Die Teamreise nach Oslo ist im Juni", "Die Teamreise nach Oslo wurde storniert"),
    ("Wir lagern die Bilder auf dem alten NAS", "Ein Cloudspeicher ersetzt das alte NAS"),
    ("Les alertes arrivent sur le bipeur", "Les alertes arrivent par courriel au lieu du bipeur"),
    ("Léa joue du violon le dimanche", "Léa ne joue plus du violon le dimanche"),
    ("Le voyage de l'équipe à Oslo est en juin", "Le voyage de l'équipe à Oslo est annulé"),
    ("Nous avons décidé de livrer la bêta mercredi",
     "Nous avons décidé de livrer la bêta vendredi"),
    ("Las alertas llegan al buscapersonas",
     "Las alertas llegan por correo en vez del buscapersonas"),
    ("Kim toca el violín los domingos", "Kim dejó de tocar el violín los domingos"),
    ("La nómina la lleva Stenberg", "La nómina pasó de Stenberg a Lindqvist"),
    ("我们的应用是用Cordova开发的", "我们的应用从Cordova改成了Flutter"),
    ("小金星期天拉小提琴", "小金星期天不再拉小提琴了"),
    ("我们决定星期三发布测试版", "我们决定星期五发布测试版"),
    ("アプリはCordovaで作られています", "アプリをCordovaからFlutterに移行しました"),
    ("六月のオスロ旅行は全員参加です", "六月のオスロ旅行はキャンセルされました"),
)  # fmt: skip
STANDS = (
    ("Unsere App ist mit Cordova gebaut", "Cordova hat gestern vierzig Mails geschickt"),
    ("Kim spielt sonntags Geige", "Kim mag die Oper nicht mehr"),
    ("Die Teamreise nach Oslo ist im Juni", "Das Abendessen in Oslo wurde abgesagt"),
    ("Léa joue du violon le dimanche", "Léa n'aime plus l'opéra"),
    ("Le voyage de l'équipe à Oslo est en juin", "Le dîner à Oslo est annulé"),
    ("Las alertas llegan al buscapersonas", "Vinimos en tren en vez de avión"),
    ("Kim toca el violín los domingos", "Lea ya no toca el piano"),
    ("La nómina la lleva Stenberg", "El alquiler pasó de 900 a 980 euros"),
    ("我们的应用是用Cordova开发的", "我们不再订Cordova的杂志"),
    ("小金星期天拉小提琴", "小李不再弹钢琴了"),
    ("我们决定星期三发布测试版", "我们决定重新粉刷厨房"),
    ("アプリはCordovaで作られています", "Cordovaの勉強会は中止になりました"),
    ("六月のオスロ旅行は全員参加です", "もうオペラは好きではありません"),
)  # fmt: skip
