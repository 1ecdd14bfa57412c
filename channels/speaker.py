"""A text without the speaker that leads it. Pure."""


def body_of(text: str, speaker: str | None) -> str:
    """The text without a leading "Speaker: " that only repeats the speaker."""
    if speaker and text.startswith(f"{speaker}:"):
        return text[len(speaker) + 1 :].lstrip()
    return text
