# src/relay: cupel-relay, the one way of a vessel to the network.
core_sources += src/relay/protocol.h
