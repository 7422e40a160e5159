/** Compares how the servers of a parent zone delegate a domain with how they should. Pure. */
import type { GlueAddress, SeenDelegation } from '../../dns-client/ask-delegation.ts';
import type { ServerAnswer } from '../../dns-client/ask-each-server.ts';
import { formatWantedDs, namesKey, type NamedKey } from '../../signer/match-ds.ts';
import type {
  DelegationFacts,
  DelegationProblem,
  DelegationProblemCode,
  ExpectedDelegation,
} from './delegation-facts.ts';

type SeenServer = Extract<ServerAnswer<SeenDelegation>, SeenDelegation>;

/** A fault of one server; the same text at several servers is one problem. */
interface Fault {
  readonly code: DelegationProblemCode;
  readonly message: string;
}

/** In the order in which they should be fixed: first who answers, then how those are found, then DS records. */
export function findDelegationProblems(facts: DelegationFacts): readonly DelegationProblem[] {
  const { look } = facts;
  if (look.kind === 'unknown')
    return [
      ...findOwnFaults(facts),
      { code: 'parent_unknown', message: capitalised(look.reason), servers: [] },
    ];
  const found = new Map<string, Fault & { readonly servers: Set<string> }>();
  const { servers } = look.sight;
  for (const server of servers) {
    for (const fault of findFaults(server, facts)) {
      if (isKnownAnyway(fault, server, servers)) continue;
      const known = found.get(fault.message) ?? { ...fault, servers: new Set<string>() };
      found.set(fault.message, known);
      known.servers.add(server.name);
    }
  }
  const problems = [...found.values()].map((fault) => ({ ...fault, servers: [...fault.servers] }));
  return [...findOwnFaults(facts), ...problems.sort((a, b) => rankOf(a) - rankOf(b))];
}

/** A server answers the same at all its addresses, and those of IPv6 cannot be reached from everywhere. */
function isKnownAnyway(
  { code }: Fault,
  { name }: ServerAnswer<SeenDelegation>,
  servers: readonly ServerAnswer<SeenDelegation>[],
): boolean {
  if (code !== 'server_without_answer' && code !== 'ds_unknown') return false;
  return servers.some(
    (other) =>
      other.name === name &&
      'nameservers' in other &&
      (code === 'server_without_answer' || other.ds !== undefined),
  );
}

const order: readonly DelegationProblemCode[] = [
  'nameserver_missing',
  'nameserver_unexpected',
  'glue_missing',
  'glue_unexpected',
  'ds_unexpected',
  'ds_missing',
  'ds_unknown',
  'server_without_answer',
];

function rankOf({ code }: DelegationProblem): number {
  return order.indexOf(code);
}

/** Those that lie here, whatever the parent zone has. */
function findOwnFaults({ domain, isServed, expected }: DelegationFacts): readonly DelegationProblem[] {
  const problems: DelegationProblem[] = [];
  if (!isServed) {
    const message = `No nameserver here answers for ${domain}, because it is withheld`;
    problems.push({ code: 'domain_withheld', message, servers: [] });
  }
  const placeholder = expected.nameservers.find((name) => name.endsWith('.invalid'));
  if (placeholder !== undefined) {
    const message = `${placeholder} stands for a nameserver whose name the operator has not set`;
    problems.push({ code: 'nameserver_placeholder', message, servers: [] });
  }
  return problems;
}

function findFaults(server: ServerAnswer<SeenDelegation>, facts: DelegationFacts): readonly Fault[] {
  if ('problem' in server) {
    const message = `${server.name} gave no usable answer: ${server.problem.message}`;
    return [{ code: 'server_without_answer', message }];
  }
  // The state says that the domain is not delegated.
  if (server.nameservers.length === 0) return findDsFaults(server, facts);
  return [
    ...findNameserverFaults(server, facts.expected),
    ...findGlueFaults(server, facts.expected),
    ...findDsFaults(server, facts),
  ];
}

function findNameserverFaults({ nameservers }: SeenServer, expected: ExpectedDelegation): readonly Fault[] {
  const missing = expected.nameservers.filter((name) => !nameservers.includes(name));
  const unexpected = nameservers.filter((name) => !expected.nameservers.includes(name));
  return [
    ...missing.map((name): Fault => {
      return { code: 'nameserver_missing', message: `The delegation lacks the nameserver ${name}` };
    }),
    ...unexpected.map((name): Fault => {
      const message = `The delegation names ${name}, which is not in the NS records of the domain here`;
      return { code: 'nameserver_unexpected', message };
    }),
  ];
}

/** Addresses of nameservers inside the domain cannot be found without glue (RFC 9471); others need none. */
function findGlueFaults({ nameservers, glue }: SeenServer, expected: ExpectedDelegation): readonly Fault[] {
  const wanted = expected.glue.filter(({ name }) => nameservers.includes(name));
  const missing = wanted.filter((address) => !hasAddress(glue, address));
  const known = new Set(wanted.map(({ name }) => name));
  const unexpected = glue.filter((address) => known.has(address.name) && !hasAddress(wanted, address));
  return [
    ...missing.map(({ name, address }): Fault => {
      const message = `The delegation lacks the address ${address} of the nameserver ${name}, which is inside the domain`;
      return { code: 'glue_missing', message };
    }),
    ...unexpected.map(({ name, address }): Fault => {
      const message = `The delegation has the address ${address} of the nameserver ${name}, which the domain here does not have`;
      return { code: 'glue_unexpected', message };
    }),
  ];
}

function hasAddress(glue: readonly GlueAddress[], { name, address }: GlueAddress): boolean {
  return glue.some((other) => other.name === name && other.address === address);
}

function findDsFaults({ ds, name: server }: SeenServer, facts: DelegationFacts): readonly Fault[] {
  const { domain, name, expected } = facts;
  if (ds === undefined) {
    const message = `${server} gave no usable answer to the question for DS records`;
    return [{ code: 'ds_unknown', message }];
  }
  const isOf = (keys: readonly NamedKey[], record: string): boolean => namesKey(record, name, keys);
  const unexpected = ds.filter((record) => !isOf(expected.keys, record));
  const missing = expected.isInWork
    ? []
    : expected.announced.filter((key) => !ds.some((record) => isOf([key], record)));
  return [
    ...unexpected.map((record): Fault => {
      const message = `The parent zone has the DS record ${record}, which is of no key of ${domain} here`;
      return { code: 'ds_unexpected', message };
    }),
    ...missing.map((key): Fault => {
      return {
        code: 'ds_missing',
        message: `The parent zone lacks the DS record ${formatWantedDs(name, key)}`,
      };
    }),
  ];
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
