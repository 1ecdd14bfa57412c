"""Pairs written by hand when the rules were done, and tried once: what stays is what they give.

Older text, newer text, as in pair_rows.py.
"""

REPLACES = (
    ("The mobile app is built with Cordova", "Mobile went from Cordova to Flutter"),
    ("Payroll is handled by Stenberg", "Payroll is no longer handled by Stenberg"),
    ("Our CI runs on Jenkins", "We migrated CI from Jenkins to Buildkite in April"),
    ("The gym membership costs 39 euros", "The gym membership costs 45 euros now"),
    ("Lea works for the museum", "Lea works for the zoo now"),
    ("The kick-off is on 12 March", "The kick-off is on 19 March"),
    ("Alerts go to the pager channel", "Alerts go to email instead of the pager channel"),
    ("We planned a trip to Oslo for the whole team", "The team trip to Oslo was cancelled"),
    ("LOG_LEVEL = INFO", "LOG_LEVEL = DEBUG"),
    ("Grandma's address is 4 Elm Row", "Grandma's address is 17 Mill Lane"),
    ("Kim plays the violin on Sundays", "Kim doesn't play the violin on Sundays anymore"),
    ("The standby region is Dublin", "The standby region is Oregon"),
    ("Images are resized with ImageMagick", "libvips replaced ImageMagick for resizing images"),
    ("We decided to ship the beta on Wednesday", "We agreed to ship the beta on Friday"),
    ("The feature flag for dark mode was turned on", "We reverted the feature flag for dark mode"),
    ("Samir is the owner of the billing module", "Joan took over the billing module from Samir"),
    ("My passport number is X1188201", "My passport number is Y7720031"),
    ("The budget is 20000 dollars", "The budget was cut to 15000 dollars"),
)
STANDS = (
    ("Our CI runs on Jenkins", "Jenkins sent forty mails last night"),
    ("Lea works for the museum", "Lea painted the museum's front door"),
    ("Kim plays the violin on Sundays", "Kim doesn't like the opera anymore"),
    ("The gym membership costs 39 euros", "The gym opens at 7:00"),
    ("The kick-off is on 12 March", "The kick-off was great"),
    ("Grandma's address is 4 Elm Row", "Grandma's birthday is 4 June"),
    ("We planned a trip to Oslo for the whole team", "The flight to Oslo was cancelled yesterday"),
    ("Payroll is handled by Stenberg", "Stenberg no longer handles travel expenses"),
    ("The standby region is Dublin", "The primary region is Oregon"),
    ("Mobile went from Cordova to Flutter", "The mobile app is built with Flutter"),
    ("Images are resized with ImageMagick", "ImageMagick has a new release"),
    ("LOG_LEVEL = INFO", "LOG_FORMAT = JSON"),
    ("We decided to ship the beta on Wednesday", "We decided to buy a coffee machine on Friday"),
    ("Samir is the owner of the billing module", "Joan reviewed the billing module with Samir"),
    ("The budget is 20000 dollars", "The budget is due on Friday"),
    ("Joan is our contact at Acme", "Joan is the chair of the choir"),
    ("Our office is in Lisbon", "Our office is on the third floor"),
    ("The train to Bern leaves at 8:00", "The train from Bern leaves at 9:00"),
    ("Alerts go to the pager channel", "Nobody reads the pager channel instead of mail"),
    ("Theo's laptop is a Framework", "Mara's laptop is a ThinkPad"),
    ("We moved from Graz to Vienna in 2019", "We moved from Vienna to Linz in 2023"),
    ("I used to live in Graz", "I live in Vienna"),
)
