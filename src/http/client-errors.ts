// Requests that never become requests: what node's parser refuses, what takes too long. They get an answer of the
// contract's shape too, then the connection is closed.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError, ErrorCode } from '../contract/errors.ts';
import type { Admission } from './admission.ts';
import { answerError } from './answer.ts';
import type { CrossOriginHeaders } from './cross-origin.ts';
import { createRequestIdSource } from './request-id.ts';
import { commonHeaders } from './send-answer.ts';

/** Node's `clientError` listener. */
export type ClientErrorHandler = (error: Error & { code?: string }, socket: Duplex) => void;

export function createClientErrorHandler(
  countAnonymous: Admission['countAnonymous'],
  crossOriginHeaders: CrossOriginHeaders = () => [],
): ClientErrorHandler {
  const newRequestId = createRequestIdSource();
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const quota = countAnonymous((socket as { remoteAddress?: string }).remoteAddress);
    const headers = [
      ...commonHeaders(newRequestId(), quota),
      ...crossOriginHeaders(findBrokenRequest(socket)),
    ];
    const text = answerText(describe(error.code), headers);
    whenAnswered(socket, () => socket.end(text, () => socket.destroy()));
  };
}

/** What node would otherwise answer without a body, or by closing. */
export function takeOddRequests(server: Server, handleError: ClientErrorHandler): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    handleError(new Error('this server is no proxy'), socket);
  });
  // Expectations other than 100-continue may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

function describe(code: string | undefined): ApiError {
  const [errorCode, message] = problems[code ?? ''] ?? malformed;
  return { code: errorCode, message };
}

const malformed = ['invalid_request', 'The request is not well-formed HTTP'] as const;

const problems: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
};

function answerText(error: ApiError, headers: readonly string[]): string {
  const { status, body } = answerError(error);
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${new Date().toUTCString()}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

/** The request whose body is what was refused; undefined where it was the headers. */
function findBrokenRequest(socket: Duplex): IncomingMessage | undefined {
  const request = findResponse(socket)?.req;
  return request?.complete === false ? request : undefined;
}

/**
 * An earlier request of the same connection may still be under way: its answer comes first, or the client would take
 * the refusal of the later one for it, and repeat what was done.
 */
function whenAnswered(socket: Duplex, then: () => void): void {
  const response = findResponse(socket);
  if (!response || (!response.req.complete && !response.headersSent)) return then();
  response.once('close', () => setImmediate(whenAnswered, socket, then));
}

/** The response that is being written: node keeps it there, without a public name. */
function findResponse(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
