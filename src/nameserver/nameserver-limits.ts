/** Every size, count and wait of the nameserver's sockets and workers, with where the figure comes from. */
export interface NameserverLimits {
  readonly tcp: TcpLimits;
  readonly pending: PendingLimits;
  readonly supervision: SupervisionLimits;
}

export interface TcpLimits {
  /** Worst case a connection holds some 200 KiB (outstanding + one answer + the unread rest of a chunk): 1,000 stay under 200 MB. */
  readonly connections: number;
  /** From one IPv4 address or one IPv6 /64: a tenth of all, still enough for the resolvers behind one translated address. */
  readonly connectionsPerClient: number;
  /** RFC 7766 section 6.2.3 wants seconds, not minutes; BIND waits 30, Knot 10. */
  readonly idleMs: number;
  /** Who connects has a query to ask: three round trips with one lost segment each. */
  readonly firstQueryMs: number;
  /** No query we understand is longer; the same figure as over UDP. */
  readonly queryBytes: number;
  /** Answers that the peer hasn't taken yet; beyond it nothing is read. A largest message fits. */
  readonly outstandingBytes: number;
  /** Time to take outstanding answers: 64 KiB in 10 s is a modem's speed. */
  readonly slowReaderMs: number;
}

export interface PendingLimits {
  /** Queries waiting for zones: 45 µs a zone load makes this 0.2 s of work, less than a resolver's first time-out. */
  readonly queries: number;
  /** Their packets together: {@link queries} of ordinary size four times over. */
  readonly bytes: number;
  /** A quarter of each may wait for the same zone: a large one takes seconds, and others are still to be had. */
  readonly queriesPerZone: number;
  readonly bytesPerZone: number;
  /** Resolvers have asked again, or elsewhere, by then: Unbound and BIND wait a second or two for an answer. */
  readonly waitMs: number;
}

export interface SupervisionLimits {
  /** A worker's first successor starts at once; then the wait doubles from here … */
  readonly firstBackOffMs: number;
  /** … up to here: a fault in the code or the machine isn't worth a core. */
  readonly longestBackOffMs: number;
  /** A worker that lived this long has its back-off forgotten. */
  readonly steadyAfterMs: number;
  /** For answers under way and peers that are slow to take them when stopping; the whole process has 10 s. */
  readonly drainMs: number;
  /** Longest wait for a worker to exit by itself, after draining, before it is terminated. */
  readonly exitWaitMs: number;
  /** Longest wait for workers to open their sockets: loading code on a busy single core takes 2 s. */
  readonly startWaitMs: number;
  /** How often a worker says that its event loop turns: once a look is enough. */
  readonly heartbeatMs: number;
  /** How often the main thread looks: a hang is found within a tenth of the time that it takes to be sure. */
  readonly lookMs: number;
  /**
   * Looks in a row without a sign of life that make a hang. Together ten seconds: what passes by itself (a garbage
   * collection, a core that others keep busy) takes two at most, and resolvers ask other nameservers meanwhile.
   */
  readonly silentLooks: number;
}

export const defaultLimits: NameserverLimits = {
  tcp: {
    connections: 1_000,
    connectionsPerClient: 100,
    idleMs: 10_000,
    firstQueryMs: 5_000,
    queryBytes: 4_096,
    outstandingBytes: 65_536,
    slowReaderMs: 10_000,
  },
  pending: {
    queries: 4_096,
    bytes: 1_048_576,
    queriesPerZone: 1_024,
    bytesPerZone: 262_144,
    waitMs: 4_000,
  },
  supervision: {
    firstBackOffMs: 100,
    longestBackOffMs: 5_000,
    steadyAfterMs: 30_000,
    drainMs: 2_000,
    exitWaitMs: 3_000,
    startWaitMs: 30_000,
    heartbeatMs: 1_000,
    lookMs: 1_000,
    silentLooks: 10,
  },
};

/** Room for a query and its answer over UDP. Answers are kept to 1232 by default (RFC 9715), never over what EDNS knows as 4096. */
export const UDP_MESSAGE_BYTES = 4_096;

/** A DNS message over TCP has a length of two octets (RFC 1035 section 4.2.2). */
export const TCP_MESSAGE_BYTES = 65_535;

/** A port that the system chose for UDP may be taken for TCP; five in a row of 28,000 would be no accident. */
export const FREE_PORT_ATTEMPTS = 5;

/** What NSID is answered with fits, with all other options, beside the longest name into 512 octets. */
export const MAX_IDENTIFIER_BYTES = 128;
