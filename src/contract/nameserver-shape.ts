// The nameservers of the whole service: shape of the answer and its JSON text.
import { formatDate } from './format-date.ts';
import { Type, type Static } from './schema.ts';

export const serviceNameserversReply = Type.Object({
  nameservers: Type.Object({
    names: Type.Array(Type.String(), {
      description: 'The host names of the service',
      examples: [['ns1.example.net', 'ns2.example.net']],
    }),
    per_account: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How many of them each account has; null: all',
    }),
    processes: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Identifies its data folder' }),
        name: Type.String({ examples: ['ns1'] }),
        date_seen: Type.String({ format: 'date-time', description: 'Its last report' }),
        live: Type.Boolean({ description: 'It has reported within the last 10 seconds' }),
        behind: Type.Integer({
          description: 'Changes that had been committed and that it did not serve at its last report',
          examples: [0],
        }),
      }),
    ),
  }),
});

/** The nameservers of the whole service. */
export type ServiceNameserversJson = Readonly<Static<typeof serviceNameserversReply>>['nameservers'];

interface ShownNameservers {
  readonly names: readonly string[];
  readonly perAccount: number | null;
  readonly processes: readonly {
    readonly id: string;
    readonly name: string;
    readonly seenAtMs: number;
    readonly isLive: boolean;
    readonly behind: number;
  }[];
}

/** `{"nameservers":{"names","per_account","processes":[{"id","name","date_seen","live","behind"}]}}`. */
export function formatServiceNameservers({ names, perAccount, processes }: ShownNameservers): string {
  return JSON.stringify({
    nameservers: {
      names,
      per_account: perAccount,
      processes: processes.map(({ id, name, seenAtMs, isLive, behind }) => ({
        ...{ id, name, date_seen: formatDate(Math.floor(seenAtMs / 1000)), live: isLive, behind },
      })),
    },
  });
}
