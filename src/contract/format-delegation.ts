// The JSON text of the state of a delegation, as contract rule 87 defines it.
import type { delegationProblemCodes, delegationStates } from './delegation-shape.ts';
import { formatDate } from './format-date.ts';

export interface ShownDelegation {
  readonly state: (typeof delegationStates)[number];
  readonly nextStep: string;
  readonly parent: string | null;
  readonly expected: {
    readonly nameservers: readonly string[];
    readonly glue: readonly ShownGlue[];
    readonly ds: readonly string[];
  };
  readonly servers: readonly ShownParentServer[];
  readonly problems: readonly {
    readonly code: (typeof delegationProblemCodes)[number];
    readonly message: string;
    readonly servers: readonly string[];
  }[];
  readonly lookedAtMs: number | null;
}

interface ShownGlue {
  readonly name: string;
  readonly address: string;
}

type ShownParentServer = { readonly name: string; readonly address: string | undefined } & (
  | {
      readonly nameservers: readonly string[];
      readonly glue: readonly ShownGlue[];
      readonly ds: readonly string[] | undefined;
    }
  | { readonly problem: { readonly message: string } }
);

/** `{"delegation":{"state","next_step","parent","expected":{…},"servers":[…],"problems":[…],"looked_at"}}`. */
export function formatDelegationReply(delegation: ShownDelegation): string {
  const { state, nextStep, parent, expected, servers, problems, lookedAtMs } = delegation;
  const { nameservers, glue, ds } = expected;
  return JSON.stringify({
    delegation: {
      state,
      next_step: nextStep,
      parent,
      expected: { nameservers, glue: glue.map(glueJson), ds },
      servers: servers.map(serverJson),
      problems: problems.map(({ code, message, servers: at }) => ({ code, message, servers: at })),
      looked_at: lookedAtMs === null ? null : formatDate(Math.floor(lookedAtMs / 1000)),
    },
  });
}

function serverJson(server: ShownParentServer): object {
  const { name, address = null } = server;
  if ('problem' in server) {
    const { message } = server.problem;
    return { server: name, address, nameservers: null, glue: null, ds: null, problem: message };
  }
  const { nameservers, glue, ds = null } = server;
  return { server: name, address, nameservers, glue: glue.map(glueJson), ds, problem: null };
}

function glueJson({ name, address }: ShownGlue): object {
  return { name, address };
}
