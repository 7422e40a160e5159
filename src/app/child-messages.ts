// Messages between the parent process of a service and its two children, over the channel of `node:child_process`.
import type { HttpAddress } from '../http/http-address.ts';
import type { HeldSockets } from '../nameserver/threads/held-sockets.ts';
import type { AdminKey } from './bootstrap-admin.ts';
import type { ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';

/** `http`: the interface and the only process that writes; `nameserver`: answers DNS. Also the member of log lines. */
export type ProcessName = 'http' | 'nameserver';

export type ToChild =
  | {
      readonly kind: 'start';
      readonly process: ProcessName;
      readonly config: Config;
      /** Path of the socket between the two children. */
      readonly link: string;
      readonly sockets: ChildSockets;
    }
  /** End in order. */
  | { readonly kind: 'stop' };

/** The sockets of a child, with descriptors that it has inherited; what is undefined it opens itself. */
export interface ChildSockets {
  readonly http: number | undefined;
  readonly https: number | undefined;
  readonly dns: ChildDnsSockets | undefined;
}

export type ChildDnsSockets =
  /** Opened by the parent. */
  | { readonly kind: 'held'; readonly sockets: readonly HeldSockets[] }
  /** Bound by the supervisor of the service. */
  | { readonly kind: 'activated'; readonly descriptors: readonly number[] };

export type FromChild =
  /** It listens on these addresses, for HTTP or for DNS. */
  | {
      readonly kind: 'serving';
      readonly http?: HttpAddress;
      readonly https?: ListenAddress | undefined;
      readonly dns?: readonly ListenAddress[];
    }
  /** All its parts run. */
  | { readonly kind: 'ready'; readonly adminKey: AdminKey }
  /** Its event loop turns: sent at an interval (`silence-watch.ts`). */
  | { readonly kind: 'alive' }
  /** It cannot start, and ends. */
  | { readonly kind: 'failed'; readonly exitCode: number; readonly sentence: string };
