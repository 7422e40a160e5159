import { readFileSync } from 'node:fs';

/** The heading of README.md whose shell commands a new user types first. */
const HEADING = '## First requests';

/**
 * The shell commands of that section for a service on other ports, with `zonewright` from the PATH in the place of
 * `npx zonewright`.
 */
export function readReadmeCommands(http: string, dnsPort: number): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const section = readme.split(`\n${HEADING}\n`).at(1)?.split('\n## ')[0];
  if (section === undefined) throw new Error(`README.md has no section "${HEADING}"`);
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map((match) => match[1]);
  return blocks
    .join('\n')
    .replaceAll('npx zonewright', 'zonewright')
    .replaceAll('127.0.0.1:8080', http)
    .replaceAll('-p 5300', `-p ${dnsPort}`);
}
