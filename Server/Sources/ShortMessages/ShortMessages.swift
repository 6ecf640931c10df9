// What a short message is, who takes it, and what becomes of it. Knows no codes, no apps, no store and no network protocol:
// whoever has a message to send gives it to a `ShortMessageSender` and hears of its delivery by receipts. Begin there.
