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
  [
    'there are no credentials',
    undefined,
    { HOME: '/nonexistent' },
    'use --from-key-file or set AWS_ACCESS_KEY_ID',
  ],
  ['one half is missing', undefined, { AWS_ACCESS_KEY_ID: 'AKID' }, 'is set; both are needed'],
  ['the key file is missing', '/nonexistent', {}, 'the key file /nonexistent cannot be read (ENOENT)'],
  [
    'the shared file is a folder',
    undefined,
    { AWS_SHARED_CREDENTIALS_FILE: home },
    'cannot be read (EISDIR)',
  ],
  ['the section is missing', shared, { AWS_PROFILE: 'other' }, 'has no section [other]'],
  ['the section is a role', shared, { AWS_PROFILE: 'role' }, 'aws configure export-credentials'],
  [
    'a key contains a space',
    shared,
    { AWS_PROFILE: 'spaced' },
    'contains a key with spaces or invalid characters',
  ],
])('an error is reported if %s', (_, keyFile, environment, sentence) => {
  expect(() => findAwsCredentials(keyFile, environment)).toThrow(sentence);
});
