import { isKnownTag } from '../contract/entity-tags.ts';
import type { Answer } from './answer.ts';
import { endStream } from './stream-body.ts';

/** Replaces the answer by a 304 if the client has it already (RFC 9110 section 13.1.2). */
export async function withoutKnownBody(answer: Answer, ifNoneMatch: string | undefined): Promise<Answer> {
  const { etag, stream, headers } = answer;
  if (answer.status !== 200 || etag === undefined || !isKnownTag(ifNoneMatch, etag)) return answer;
  if (stream !== undefined) await endStream(stream);
  return { status: 304, body: '', etag, ...(headers && { headers }) };
}
