// Brings events out of the outbox to apps' callbacks: when an event is tried again, how it is signed, which addresses may be called,
// and the one request that carries it. It decides nothing about apps and knows no SQL. Begin with `Delivery/CallbackDelivery.swift`.
