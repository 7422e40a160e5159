// Compares what a validating resolver answers with what it must answer at a stage of a rollover.

import { runProgram } from '../../interop/run-program.ts';
import type { DigAnswer } from '../../interop/dig.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import type { ValidatingResolver } from '../../interop/moving/validating-resolver.ts';
import type { Question } from './nasty-zone.ts';
import type { Trust } from './scenarios.ts';

/** Returns what is wrong with the answers. */
export async function checkAnswers(
  questions: readonly Question[],
  trust: Trust,
  resolver: ValidatingResolver,
): Promise<{ readonly asked: number; readonly problems: readonly string[] }> {
  const answers = await resolver.lookUp(questions.map(({ name, type }) => [name, type]));
  const problems = questions.flatMap((question, i) => problemsOf(question, answers[i], trust));
  if (trust !== 'broken') return { asked: questions.length, problems };
  const isNoticed = problems.some((problem) => problem.includes('SERVFAIL'));
  return { asked: questions.length, problems: isNoticed ? [] : ['no answer fails'] };
}

function problemsOf(question: Question, answer: DigAnswer, trust: Trust): string[] {
  const { status, flags } = answer;
  const of = `${question.name} ${question.type}`;
  if (status !== question.status) return [`${of}: ${status}, not ${question.status}`];
  const problems: string[] = [];
  const lines = answer.answer
    .map((line) => line.split(' '))
    .filter(([, , , type]) => type !== 'RRSIG')
    .map(([owner, , , ...data]) => `${owner} ${data.join(' ')}`)
    .sort();
  if (question.lines === undefined ? lines.length === 0 : lines.join() !== question.lines.join())
    problems.push(`${of}: ${lines.join(', ')}, not ${question.lines?.join(', ') ?? 'an answer'}`);
  const isSecure = flags.includes('ad');
  const mayDiffer = trust === 'either' || trust === 'broken';
  if (!mayDiffer && isSecure !== (trust === 'secure' && question.isSecure))
    problems.push(`${of}: ${isSecure ? 'secure' : 'not secure'}`);
  return problems;
}

/** Has delv validate one positive and one negative answer, which it gets unvalidated from the resolver. */
export async function checkWithDelv(
  { apex }: ModelZone,
  trust: Trust,
  resolver: ValidatingResolver,
  anchorFile: string,
  registry: string,
): Promise<readonly string[]> {
  const [host, port] = resolver.address.split(':');
  const problems: string[] = [];
  for (const [name, expected] of [
    [`www.${apex}`, ''],
    [`nothing.${apex}`, 'negative response, '],
  ]) {
    const args = [`@${host}`, '-p', port, '-a', anchorFile, `+root=${registry}`, name, 'A'];
    const { stdout, stderr } = await runProgram('delv', args);
    const wanted = `; ${expected}${trust === 'secure' ? 'fully validated' : 'unsigned answer'}`;
    const lines = `${stdout}${stderr}`.split('\n');
    if (!lines.includes(wanted)) problems.push(`delv ${name}: not "${wanted}"`, ...lines);
  }
  return problems;
}
