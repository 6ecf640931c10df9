// Short messages, their senders and their receipts, without codes, apps, a store or a network protocol. A caller gives
// a message to a `ShortMessageSender`, and receipts report its delivery. Begin there.
