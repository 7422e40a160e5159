import { lowerDomainName, parseDomainName } from '../../dns/name.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { findTsigAlgorithm, tsigAlgorithmNames, type TsigKey } from '../../dns/tsig.ts';
import { findVariable, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile } from '../failures/file-failures.ts';

const TSIG_VARIABLE = 'ZONEWRIGHT_TSIG';

/**
 * Reads the key from the option, `name:algorithm:file`, or from the environment, `name:algorithm:secret`. The file
 * contains the secret in base64, or a `key` statement in BIND's format. Returns undefined if neither is set.
 *
 * @throws CommandFailure if the key is malformed or cannot be read; the message never repeats what could be the
 * secret
 */
export function findTsigKey(option: string | undefined, environment: Environment): TsigKey | undefined {
  const text = option ?? findVariable(environment, TSIG_VARIABLE);
  if (text === undefined) return undefined;
  const found = /^([^:]+):([^:]+):(.+)$/.exec(text);
  if (found === null) {
    throw usage(
      option === undefined
        ? `${TSIG_VARIABLE} is not name:algorithm:secret`
        : '--tsig is not name:algorithm:file',
    );
  }
  const [, name, algorithmName, rest] = found;
  return option === undefined
    ? makeKey(name, algorithmName, rest, TSIG_VARIABLE)
    : makeKey(name, algorithmName, readSecret(rest), rest);
}

function readSecret(path: string): string {
  const content = readKeyFile(path);
  return /\bsecret\s+"?([A-Za-z0-9+/=]+)"?\s*;/.exec(content)?.[1] ?? content;
}

function makeKey(nameText: string, algorithmName: string, secret: string, source: string): TsigKey {
  const name = parseDomainName(nameText);
  if (!name.ok) throw usage(`the TSIG key's name is malformed: ${name.problem}`);
  const algorithm = findTsigAlgorithm(algorithmName);
  if (algorithm === undefined) {
    throw usage(`the TSIG key's algorithm is not one of ${tsigAlgorithmNames.join(', ')}`);
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw usage(`${source} does not hold a secret in base64`);
  return {
    name: lowerDomainName(name.value),
    algorithm,
    secret: Buffer.from(secret, 'base64'),
  };
}

function usage(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, sentence);
}
