// Brings events out of the outbox to apps' callbacks: the schedule of attempts, the signature, the permitted addresses,
// and the request. It decides nothing about apps and knows no SQL. Begin with `Delivery/CallbackDelivery.swift`.
