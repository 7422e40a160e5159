// Answers requests that Node's parser rejects or that time out, in the contract's shape, and closes the connection.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError, ErrorCode } from '../contract/errors.ts';
import type { Admission } from './admission.ts';
import { answerError } from './answer.ts';
import type { CrossOriginHeaders } from './cross-origin.ts';
import { hasProxySignature } from './proxy-header.ts';
import { createRequestIdSource } from './request-id.ts';
import { hstsHeader } from './secure-transport.ts';
import { commonHeaders } from './send-answer.ts';

/** Node's `clientError` listener. */
export type ClientErrorHandler = (
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Duplex,
) => void;

export interface ClientErrorOptions {
  readonly countPeer: Admission['countPeer'];
  readonly crossOriginHeaders?: CrossOriginHeaders | undefined;
  /** Called for a header of the PROXY protocol where none is expected; the connection is closed without an answer. */
  readonly onProxyHeader?: (() => void) | undefined;
}

export function createClientErrorHandler(options: ClientErrorOptions): ClientErrorHandler {
  const { countPeer, crossOriginHeaders = () => [], onProxyHeader } = options;
  const newRequestId = createRequestIdSource();
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    if (onProxyHeader !== undefined && isProxyHeader(error.rawPacket)) {
      onProxyHeader();
      return void socket.destroy();
    }
    const quota = countPeer(socket);
    const headers = [
      ...commonHeaders(newRequestId(), quota),
      ...('encrypted' in socket ? hstsHeader : []),
      ...crossOriginHeaders(findBrokenRequest(socket)),
    ];
    const text = answerText(describe(error.code), headers);
    whenAnswered(socket, () => socket.end(text, () => socket.destroy()));
  };
}

/** @param packet what Node's parser could not read */
function isProxyHeader(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && hasProxySignature(packet);
}

/** Handles requests that Node would answer without a body, or with a closed connection. */
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

/** Returns the request whose body is malformed; undefined if the headers were. */
function findBrokenRequest(socket: Duplex): IncomingMessage | undefined {
  const request = findResponse(socket)?.req;
  return request?.complete === false ? request : undefined;
}

/**
 * Waits for the answer to an earlier request on the same connection. Otherwise the client would take this error for that
 * answer, and repeat a request that was carried out.
 */
function whenAnswered(socket: Duplex, then: () => void): void {
  const response = findResponse(socket);
  if (!response || (!response.req.complete && !response.headersSent)) return then();
  response.once('close', () => setImmediate(whenAnswered, socket, then));
}

/** Returns the response in progress. Node keeps it in this undocumented member. */
export function findResponse(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
