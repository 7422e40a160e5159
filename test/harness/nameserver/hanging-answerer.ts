import { createAnswerer as createRealAnswerer } from '../../../src/nameserver/query/query-pipeline.ts';
import type { CreateAnswerer } from '../../../src/nameserver/query/answerer.ts';

/** The real query pipeline, except that a query for the unassigned class 65280 enters an endless loop. */
export const createAnswerer: CreateAnswerer = (options) => {
  const answerer = createRealAnswerer(options);
  const answer = answerer.answer.bind(answerer);
  answerer.answer = (buffer, offset, length, limit, overTcp) => {
    const classAt = offset + length - 2;
    while (buffer[classAt] === 255 && buffer[classAt + 1] === 0) buffer[offset] = 0;
    return answer(buffer, offset, length, limit, overTcp);
  };
  return answerer;
};
