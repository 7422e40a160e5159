import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { AwsV4Signer } from 'aws4fetch';
import { ApiError } from '../../client/api-error.ts';
import { clip } from '../../dns/clip.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { askProvider, type ProviderAnswer } from './ask-provider.ts';
import type { AwsCredentials } from './aws-credentials.ts';
import { isObject, textOf, type JsonObject } from './json-values.ts';

/** Address and credentials of Route 53. */
export interface Route53Access {
  /** Without trailing slash. */
  readonly url: string;
  readonly credentials: AwsCredentials;
  /** Time between the starts of two requests. */
  readonly requestIntervalMs: number;
}

export const ROUTE53_URL = 'https://route53.amazonaws.com';

/** Amazon allows five requests per second and account; one of them is left to other users of the account. */
export const ROUTE53_REQUEST_INTERVAL_MS = 250;

/**
 * Sends signed GET requests (AWS Signature Version 4), spread over time. XML answers are returned in the shapes of
 * the JSON that Amazon's tools print.
 */
export function createRoute53Fetch(access: Route53Access): (path: string) => Promise<JsonObject> {
  const { url, credentials, requestIntervalMs } = access;
  const takeTurn = createRequestPacer(requestIntervalMs);
  return async (path) => {
    const headers = async (): Promise<Record<string, string>> => {
      await takeTurn();
      return signedHeaders(`${url}${path}`, credentials);
    };
    const answer = await askProvider({ url, path, headers, isBusy });
    const content = findContent(answer.text);
    if (answer.status !== 200) throw explainRefusal(access, path, answer.status, content);
    if (content !== undefined) return content;
    throw new ApiError(answer.status, `${url} answered ${answer.status} with a body that is not valid XML`);
  };
}

/** Lets callers through in order, one per interval. */
function createRequestPacer(intervalMs: number): () => Promise<void> {
  let freeFromMs = 0;
  return async () => {
    const nowMs = performance.now();
    const turnMs = Math.max(freeFromMs, nowMs);
    freeFromMs = turnMs + intervalMs;
    if (turnMs > nowMs) await new Promise((resolve) => setTimeout(resolve, turnMs - nowMs));
  };
}

async function signedHeaders(url: string, credentials: AwsCredentials): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsV4Signer({
    url,
    accessKeyId,
    secretAccessKey,
    // Route 53 is a global service; its requests are signed for this region.
    service: 'route53',
    region: 'us-east-1',
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}

const busyCodes = ['Throttling', 'ThrottlingException', 'PriorRequestNotComplete', 'RequestLimitExceeded'];

function isBusy({ status, text }: ProviderAnswer): boolean {
  return status === 400 && busyCodes.includes(errorIn(findContent(text)).code);
}

/** `<ErrorResponse><Error><Code>…</Code><Message>…</Message></Error></ErrorResponse>` */
function errorIn(content: JsonObject | undefined): { readonly code: string; readonly message: string } {
  const error = content?.['Error'];
  const found = isObject(error) ? error : {};
  return { code: textOf(found['Code']) ?? '', message: textOf(found['Message']) ?? '' };
}

function explainRefusal(
  { url, credentials }: Route53Access,
  path: string,
  status: number,
  content: JsonObject | undefined,
): Error {
  const { code, message } = errorIn(content);
  if (busyCodes.includes(code)) {
    const sentence = `Route 53 still answers ${code} after several attempts: other users of the account send too many requests`;
    return new CommandFailure(exitCodes.unavailable, sentence);
  }
  const reason = explainCode(code, message, credentials);
  if (reason !== undefined) return new CommandFailure(exitCodes.authentication, reason);
  const words = [code, message].filter((word) => word !== '').join(': ') || 'no reason given';
  return new ApiError(status, `${url}${path} answered ${status}: ${words.slice(0, MAX_REASON_CHARACTERS)}`);
}

/** Long messages are cut to keep the sentence readable. */
const MAX_REASON_CHARACTERS = 300;

/** Explains refusals that the user can fix. */
function explainCode(code: string, message: string, credentials: AwsCredentials): string | undefined {
  const key = `the access key ${clip(credentials.accessKeyId)}`;
  switch (code) {
    case 'SignatureDoesNotMatch':
      return /signature expired|not yet current/i.test(message)
        ? WRONG_CLOCK
        : `Amazon reports that the secret key does not match ${key}`;
    case 'RequestExpired':
    case 'RequestTimeTooSkewed':
      return WRONG_CLOCK;
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
      return credentials.sessionToken === undefined
        ? `Amazon does not know ${key}; a temporary key also needs its session token`
        : `Amazon does not know ${key} with this session token`;
    case 'ExpiredToken':
    case 'ExpiredTokenException':
      return `the session token of ${key} has expired: get a new one`;
    case 'AccessDenied':
    case 'AccessDeniedException':
      return `${key} is not allowed to do this: it needs the permissions route53:ListHostedZones and route53:ListResourceRecordSets`;
    default:
      return undefined;
  }
}

const WRONG_CLOCK =
  'Amazon refuses the request because the clock of this machine is wrong by minutes: set the clock';

/** Returns undefined if it is not XML or contains no elements. */
function findContent(xml: string): JsonObject | undefined {
  try {
    const content = valueOf(parseXml(xml).root ?? new XmlElement('empty'));
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Elements of Route 53's API that contain a list. */
const lists: readonly string[] = ['HostedZones', 'ResourceRecordSets', 'ResourceRecords'];

/** An element as JSON: a list, an object of its children, or its text. */
function valueOf({ name, children, text }: XmlElement): unknown {
  const elements = children.filter((child) => child instanceof XmlElement);
  if (lists.includes(name)) return elements.map(valueOf);
  if (elements.length === 0) return text;
  return Object.fromEntries(elements.map((element) => [element.name, valueOf(element)]));
}
