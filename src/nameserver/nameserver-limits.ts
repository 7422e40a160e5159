/** Every size, count and wait of the nameserver's sockets and workers, each with its derivation. */
export interface NameserverLimits {
  readonly tcp: TcpLimits;
  readonly pending: PendingLimits;
  readonly supervision: SupervisionLimits;
}

export interface TcpLimits {
  /**
   * In the worst case a connection holds about 130 KiB (outstanding answers and one more answer), besides what
   * {@link longInputBytes} limits for all together, so 1,000 connections stay under 200 MB.
   */
  readonly connections: number;
  /**
   * Per IPv4 address or IPv6 /64: a tenth of all connections, which is still enough for the resolvers behind one NAT
   * address.
   */
  readonly connectionsPerClient: number;
  /** RFC 7766 section 6.2.3 recommends seconds, not minutes; BIND waits 30, Knot 10. */
  readonly idleMs: number;
  /** Time until the first query of a new connection: three round trips with one lost segment each. */
  readonly firstQueryMs: number;
  /** Input up to this size may wait on every connection. Only padding makes a query longer (RFC 7830). */
  readonly ordinaryInputBytes: number;
  /** Longer input that waits, of all connections together: 512 of the longest queries. Beyond, a connection is cut. */
  readonly longInputBytes: number;
  /** Answers that the peer has not taken yet; above this, nothing more is read. The largest message fits. */
  readonly outstandingBytes: number;
  /** Time a peer has to take outstanding answers: 64 KiB in 10 s is the speed of a modem. */
  readonly slowReaderMs: number;
}

export interface PendingLimits {
  /**
   * Queries that wait for zones: at 45 µs per zone load this is 0.2 s of work, less than a resolver's first timeout.
   */
  readonly queries: number;
  /** Total size of the waiting packets: four times {@link queries} packets of ordinary size. */
  readonly bytes: number;
  /**
   * A quarter of each limit may be used by one zone: a large zone takes seconds to load, and other zones must still get
   * room.
   */
  readonly queriesPerZone: number;
  readonly bytesPerZone: number;
  /** By then resolvers have asked again or elsewhere: Unbound and BIND wait a second or two for an answer. */
  readonly waitMs: number;
}

export interface SupervisionLimits {
  /** The first replacement of a worker starts at once. After that the wait doubles from this value … */
  readonly firstBackOffMs: number;
  /** … up to this one: a fault in the code or the machine must not occupy a core. */
  readonly longestBackOffMs: number;
  /** A worker that ran this long resets its back-off. */
  readonly steadyAfterMs: number;
  /** Time for answers in progress and slow peers when stopping; the whole process has 10 s. */
  readonly drainMs: number;
  /** Longest wait for a drained worker to exit by itself before it is terminated. */
  readonly exitWaitMs: number;
  /** Longest wait for workers to open their sockets: loading the code on a busy single core takes 2 s. */
  readonly startWaitMs: number;
  /** Interval of a worker's heartbeats: one per check of the main thread is enough. */
  readonly heartbeatMs: number;
  /** Interval of the main thread's checks: a hang is found within a tenth of the time needed to be certain of it. */
  readonly checkIntervalMs: number;
  /**
   * Consecutive checks without a heartbeat that count as a hang: ten seconds in total. Delays that pass by themselves
   * (a garbage collection, a core kept busy by others) take two seconds at most, and meanwhile resolvers ask other
   * nameservers.
   */
  readonly silentChecks: number;
}

export const defaultLimits: NameserverLimits = {
  tcp: {
    connections: 1_000,
    connectionsPerClient: 100,
    idleMs: 10_000,
    firstQueryMs: 5_000,
    ordinaryInputBytes: 4_096,
    longInputBytes: 33_554_432,
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
    checkIntervalMs: 1_000,
    silentChecks: 10,
  },
};

/**
 * Room for a query and its answer over UDP; no useful query over UDP is longer. Answers stay within 1232 octets (RFC 9715), below the 4096 that EDNS
 * clients commonly offer.
 */
export const UDP_MESSAGE_BYTES = 4_096;

/** The length field of a DNS message over TCP has two octets (RFC 1035 section 4.2.2). */
export const TCP_MESSAGE_BYTES = 65_535;

/**
 * A port that the system chose for UDP may be taken for TCP. Five collisions in a row among 28,000 ports would be no
 * accident.
 */
export const FREE_PORT_ATTEMPTS = 5;

/** An NSID answer of this size fits into 512 octets together with all other options and the longest name. */
export const MAX_IDENTIFIER_BYTES = 128;
