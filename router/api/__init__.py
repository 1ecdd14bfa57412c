"""The HTTP door: bytes in, bytes out; everything between belongs to the rest of router."""
