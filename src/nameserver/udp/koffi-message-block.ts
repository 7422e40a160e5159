import type { ClientAddress } from '../query/client-address.ts';
import { UDP_MESSAGE_BYTES } from '../nameserver-limits.ts';
import { addressOf } from './libc.ts';

/**
 * The memory that recvmmsg and sendmmsg read and write: one block per socket, laid out once.
 *
 *   slot i:  peer address │ control │ data (query, then its answer)      the parts of one message
 *   receive headers, vectors: entry i → slot i, permanently
 *   send headers, vectors:    entry k → the slot of the k-th answer      rewired only if it differs from last time
 *
 * Layouts are those of 64-bit little-endian Linux. Words have 32 bits; an address has two of them, low word first.
 */
export class KoffiMessageBlock {
  /** The whole block; answers are written in place. */
  readonly bytes: Uint8Array;
  /** Addresses for the system calls, valid as long as this object is referenced. */
  readonly receiveHeadersAddress: number;
  readonly sendHeadersAddress: number;
  private readonly words: Uint32Array;
  private readonly address: number;
  private readonly nameBytes: number;
  private readonly controlBytes: number;
  /** The slot that each send entry points to. */
  private readonly wired = new Uint8Array(SLOTS);

  /** @param sourceAddresses also record the local address of each message, for sockets bound to all addresses. */
  constructor(family: 4 | 6, sourceAddresses: boolean) {
    const buffer = new ArrayBuffer(BLOCK_BYTES);
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.address = addressOf(this.bytes);
    this.nameBytes = family === 6 ? 28 : 16;
    this.controlBytes = sourceAddresses ? (family === 6 ? 40 : 32) : 0;
    this.receiveHeadersAddress = this.address + RECEIVE_HEADERS;
    this.sendHeadersAddress = this.address + SEND_HEADERS;
    for (let slot = 0; slot < SLOTS; slot++) {
      this.lay(RECEIVE_HEADERS + slot * HEADER_BYTES, RECEIVE_VECTORS + slot * VECTOR_BYTES, slot);
      this.words[(RECEIVE_VECTORS + slot * VECTOR_BYTES + VECTOR_LENGTH) >> 2] = UDP_MESSAGE_BYTES;
      this.lay(SEND_HEADERS + slot * HEADER_BYTES, SEND_VECTORS + slot * VECTOR_BYTES, slot);
      this.wired[slot] = slot;
    }
  }

  /** Offset of the slot's message in {@link bytes}. */
  dataOffset(slot: number): number {
    return DATA + slot * DATA_STRIDE;
  }

  receivedLength(slot: number): number {
    return this.words[(RECEIVE_HEADERS + slot * HEADER_BYTES + HEADER_MESSAGE_LENGTH) >> 2];
  }

  receivedFlags(slot: number): number {
    return this.words[(RECEIVE_HEADERS + slot * HEADER_BYTES + HEADER_FLAGS) >> 2];
  }

  /** The peer's port; port 0 cannot be replied to. */
  peerPort(slot: number): number {
    const port = NAMES + slot * NAME_STRIDE + 2;
    return (this.bytes[port] << 8) | this.bytes[port + 1];
  }

  readPeerAddress(slot: number, address: ClientAddress): void {
    const name = NAMES + slot * NAME_STRIDE;
    // Address offsets in struct sockaddr_in and sockaddr_in6.
    if (this.nameBytes === 16) address.setIpv4(this.bytes, name + 4);
    else address.setIpv6(this.bytes, name + 8);
  }

  /** Resets the slot's receive entry; the next call would otherwise trust the sizes of the last message. */
  rearm(slot: number): void {
    const header = (RECEIVE_HEADERS + slot * HEADER_BYTES) >> 2;
    this.words[header + (HEADER_NAME_LENGTH >> 2)] = this.nameBytes;
    this.words[header + (HEADER_CONTROL_LENGTH >> 2)] = this.controlBytes;
  }

  /** Points the k-th send entry at the first `length` octets of the slot's data, addressed to the slot's peer. */
  answerWith(entry: number, slot: number, length: number): void {
    if (this.wired[entry] !== slot) {
      this.lay(SEND_HEADERS + entry * HEADER_BYTES, SEND_VECTORS + entry * VECTOR_BYTES, slot);
      this.wired[entry] = slot;
    }
    this.words[(SEND_VECTORS + entry * VECTOR_BYTES + VECTOR_LENGTH) >> 2] = length;
    if (this.controlBytes > 0) this.forgetInterface(slot);
  }

  /** Copies the source and destination of the slot's message, for an answer that is sent later. */
  copyRoute(slot: number): Uint8Array {
    const name = NAMES + slot * NAME_STRIDE;
    const route = new Uint8Array(NAME_STRIDE + CONTROL_STRIDE);
    route.set(this.bytes.subarray(name, name + NAME_STRIDE));
    const control = CONTROLS + slot * CONTROL_STRIDE;
    route.set(this.bytes.subarray(control, control + CONTROL_STRIDE), NAME_STRIDE);
    return route;
  }

  /** Puts an answer into the slot for late answers, as the send entry {@link LATE_SLOT}. */
  answerLate(route: Uint8Array, answer: Uint8Array, length: number): void {
    this.bytes.set(route.subarray(0, NAME_STRIDE), NAMES + LATE_SLOT * NAME_STRIDE);
    this.bytes.set(route.subarray(NAME_STRIDE), CONTROLS + LATE_SLOT * CONTROL_STRIDE);
    this.bytes.set(answer.subarray(0, length), this.dataOffset(LATE_SLOT));
    this.answerWith(LATE_SLOT, LATE_SLOT, length);
  }

  private lay(header: number, vector: number, slot: number): void {
    this.setAddress(header, NAMES + slot * NAME_STRIDE);
    this.words[(header + HEADER_NAME_LENGTH) >> 2] = this.nameBytes;
    this.setAddress(header + HEADER_VECTORS, vector);
    this.words[(header + HEADER_VECTOR_COUNT) >> 2] = 1;
    if (this.controlBytes > 0) this.setAddress(header + HEADER_CONTROL, CONTROLS + slot * CONTROL_STRIDE);
    this.words[(header + HEADER_CONTROL_LENGTH) >> 2] = this.controlBytes;
    this.setAddress(vector, this.dataOffset(slot));
  }

  private setAddress(at: number, offset: number): void {
    const address = this.address + offset;
    this.words[at >> 2] = address >>> 0;
    this.words[(at >> 2) + 1] = Math.floor(address / 0x1_0000_0000);
  }

  /**
   * Keeps the local address in the control data but clears the interface, so that the routing table decides which way
   * answers leave. Link-local addresses need their interface (RFC 4007 section 6).
   */
  private forgetInterface(slot: number): void {
    const control = CONTROLS + slot * CONTROL_STRIDE + CONTROL_HEADER_BYTES;
    if (this.nameBytes === 16) {
      this.words[control >> 2] = 0;
      return;
    }
    const linkLocal = this.bytes[control] === 0xfe && (this.bytes[control + 1] & 0xc0) === 0x80;
    if (!linkLocal) this.words[(control + 16) >> 2] = 0;
  }
}

/**
 * Messages per system call: at 64 the cost of the call itself hardly counts, and the block fits into a core's L2 cache.
 */
export const BATCH = 64;

/** The slot and send entry for answers that are sent after their batch. */
export const LATE_SLOT = BATCH;

/** Distance in octets between send headers. */
export const HEADER_BYTES = 64;

const SLOTS = BATCH + 1;

// struct mmsghdr: msg_name, msg_namelen, msg_iov, msg_iovlen, msg_control, msg_controllen, msg_flags, msg_len
const HEADER_NAME_LENGTH = 8;
const HEADER_VECTORS = 16;
const HEADER_VECTOR_COUNT = 24;
const HEADER_CONTROL = 32;
const HEADER_CONTROL_LENGTH = 40;
const HEADER_FLAGS = 48;
const HEADER_MESSAGE_LENGTH = 56;

// struct iovec: iov_base, iov_len
const VECTOR_BYTES = 16;
const VECTOR_LENGTH = 8;

// struct cmsghdr, then in_pktinfo (interface, source, destination) or in6_pktinfo (address, interface)
const CONTROL_HEADER_BYTES = 16;
const CONTROL_STRIDE = 48;

const NAME_STRIDE = 32;

// One cache line more than a power of two: otherwise the first lines of all queries would share one set of the L1
// cache.
const DATA_STRIDE = UDP_MESSAGE_BYTES + 64;

const RECEIVE_HEADERS = 0;
const RECEIVE_VECTORS = RECEIVE_HEADERS + SLOTS * HEADER_BYTES;
const SEND_HEADERS = RECEIVE_VECTORS + SLOTS * VECTOR_BYTES;
const SEND_VECTORS = SEND_HEADERS + SLOTS * HEADER_BYTES;
const NAMES = SEND_VECTORS + SLOTS * VECTOR_BYTES;
const CONTROLS = NAMES + SLOTS * NAME_STRIDE;
const DATA = CONTROLS + SLOTS * CONTROL_STRIDE;
const BLOCK_BYTES = DATA + SLOTS * DATA_STRIDE;
