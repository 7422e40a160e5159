import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INTERFACE_VERSION } from '../../src/contract/open-api.ts';

test('the OpenAPI document and the package have one version', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(text) as { version: string }).version).toBe(INTERFACE_VERSION);
});
