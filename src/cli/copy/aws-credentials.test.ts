import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findAwsCredentials } from './aws-credentials.ts';

const home = mkdtempSync(join(tmpdir(), 'zw-aws-'));
afterAll(() => rmSync(home, { recursive: true }));
mkdirSync(join(home, '.aws'));
writeFileSync(
  join(home, '.aws', 'credentials'),
  `# as 'aws configure' writes it
[default]
aws_access_key_id = AKIDDEFAULT
aws_secret_access_key = a/b+c=
region = eu-west-1

[ lent ]
aws_access_key_id=AKIDLENT
AWS_SECRET_ACCESS_KEY=secret\r
aws_session_token = token==
[role]
role_arn = arn:aws:iam::123456789012:role/reader
source_profile = default
[spaced]
aws_access_key_id = AKID
aws_secret_access_key = two words
`,
);
const shared = join(home, '.aws', 'credentials');
const inEnvironment = { AWS_ACCESS_KEY_ID: 'AKIDENV', AWS_SECRET_ACCESS_KEY: 'of-env' };
const ofDefault = { accessKeyId: 'AKIDDEFAULT', secretAccessKey: 'a/b+c=', sessionToken: undefined };
const ofLent = { accessKeyId: 'AKIDLENT', secretAccessKey: 'secret', sessionToken: 'token==' };

test.each([
  ['the key file before all else', shared, inEnvironment, ofDefault],
  ['the section that AWS_PROFILE names', shared, { AWS_PROFILE: 'lent' }, ofLent],
  [
    'the environment before the shared file',
    undefined,
    { HOME: home, ...inEnvironment, AWS_SESSION_TOKEN: 'lent' },
    { accessKeyId: 'AKIDENV', secretAccessKey: 'of-env', sessionToken: 'lent' },
  ],
  ['the shared file in the home folder', undefined, { HOME: home }, ofDefault],
  ['the shared file that is named', undefined, { AWS_SHARED_CREDENTIALS_FILE: shared }, ofDefault],
])('credentials come from %s', (_, keyFile, environment, credentials) => {
  expect(findAwsCredentials(keyFile, environment)).toEqual(credentials);
});

test.each([
  ['nothing is there', undefined, { HOME: '/nonexistent' }, 'give --from-key-file or set AWS_ACCESS_KEY_ID'],
  ['half is there', undefined, { AWS_ACCESS_KEY_ID: 'AKID' }, 'belong together, and only one of them is set'],
  ['the key file is not', '/nonexistent', {}, 'the key file /nonexistent cannot be read (ENOENT)'],
  [
    'the shared file is a folder',
    undefined,
    { AWS_SHARED_CREDENTIALS_FILE: home },
    'cannot be read (EISDIR)',
  ],
  ['the section is not', shared, { AWS_PROFILE: 'other' }, 'has no section [other]'],
  ['it is a role', shared, { AWS_PROFILE: 'role' }, 'aws configure export-credentials'],
  ['a key is no word', shared, { AWS_PROFILE: 'spaced' }, 'holds a key that is not one word'],
])('where %s, that is said', (_, keyFile, environment, sentence) => {
  expect(() => findAwsCredentials(keyFile, environment)).toThrow(sentence);
});
