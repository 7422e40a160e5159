/** The part of dns-packet (an independent decoder without type declarations) that the tests use. */
declare module 'dns-packet' {
  export interface Answer {
    readonly name: string;
    readonly type: string;
    readonly class: string;
    readonly ttl: number;
    readonly data: unknown;
  }

  export interface Packet {
    readonly id: number;
    readonly rcode: string;
    readonly flag_qr: boolean;
    readonly flag_aa: boolean;
    readonly flag_tc: boolean;
    readonly flag_rd: boolean;
    readonly questions: readonly { readonly name: string; readonly type: string }[];
    readonly answers: readonly Answer[];
    readonly authorities: readonly Answer[];
    readonly additionals: readonly Answer[];
  }

  export function decode(message: Uint8Array): Packet;
  export function encode(message: object): Uint8Array;

  /** The codec of one type's data, including the length octets. */
  export function record(type: string): {
    encode(data: unknown): Uint8Array;
    decode(bytes: Uint8Array, offset: number): unknown;
  };
}

declare module 'dns-packet/types.js' {
  export function toType(name: string): number;
  export function toString(type: number): string;
}
