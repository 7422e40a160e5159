import type { ExplanationJson } from '../../contract/explanation-shape.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { printJson, printTable, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

const stepColumns: Columns<ExplanationJson['steps'][number]> = {
  step: ({ code }) => code,
  why: ({ message }) => message,
  records: ({ records }) => records.join(' ') || '-',
};

type ExplainOptions = ConnectionOptions & { readonly resolver?: string; readonly at?: string };

/** `zonewright explain`: what the nameserver answers, and why. */
export function declareExplainCommand(command: Command, terminal: Terminal): void {
  addConnectionOptions(command)
    .argument('<domain>', 'name of the domain')
    .argument('[name]', 'name that is asked for, relative to the domain; @ is the domain itself', '@')
    .argument('[type]', 'type of the records that are asked for', 'A')
    .option('--resolver <address>', 'have the service ask this resolver as well')
    .option('--at <moment>', 'the answer as of an earlier serial, or a time such as 2026-11-20T14:00:00Z')
    .examples(
      'zonewright explain example.com www',
      'zonewright explain example.com @ MX --resolver 9.9.9.9',
      'zonewright explain example.com www --at 1763650001',
    )
    .action(async (domain: string, name: string, type: string, options: ExplainOptions) => {
      const { domains } = connect(options, terminal);
      const { resolver, at } = options;
      const explanation = await domains.explain(domain, { name, type, resolver, at });
      if (options.json === true) return printJson(terminal, explanation);
      show(terminal, explanation, options);
    });
}

function show(terminal: Terminal, explanation: ExplanationJson, options: ConnectionOptions): void {
  const { name, type, steps, predicted, served, resolver, note } = explanation;
  const print = (text: string): void => terminal.print(`${escapeControls(text)}\n`);
  if (served !== null) {
    print(`${name} ${type}: ${served.rcode}${served.authoritative ? '' : ' (referral)'}`);
    for (const line of [...served.answer, ...served.authority, ...served.additional]) print(line);
  } else if (predicted !== null) {
    print(`${name} ${type}: ${predicted.rcode}, as far as the records tell`);
    for (const set of predicted.answer) print(`${set.name} ${set.type}`);
  } else print(`${name} ${type}: not known`);
  terminal.print('\n');
  printTable(terminal, stepColumns, steps, options);
  if (resolver !== null) {
    terminal.print('\n');
    print(`${resolver.address}: ${describeResolver(resolver)}`);
    for (const line of resolver.answer ?? []) print(line);
  }
  if (note !== null) say(terminal, note);
}

function describeResolver(resolver: NonNullable<ExplanationJson['resolver']>): string {
  const { rcode, authenticated, duration_ms: durationMs, problem } = resolver;
  if (rcode === null) return problem ?? 'not known';
  return `${rcode}${authenticated === true ? ', validated' : ''}, after ${durationMs ?? 0} ms`;
}
