import type { CaptureError } from '../engine/manifest/capture';
import { showName } from './escape';
import { problemMessage } from './problemWords';

const ACCEPTED =
  'Accepted are a tools/list result, an array of tools, JSON-RPC responses (one, an array, or one a line), and an SSE dump.';

/** One sentence that says why a text is no tools/list capture, and what was found. */
export function captureErrorMessage(error: CaptureError): string {
  switch (error.code) {
    case 'problem':
      return problemMessage(error.problem);
    case 'not a capture':
      return `This is no tools/list capture but ${showName(error.found)}. ${ACCEPTED}`;
    case 'tools is no array':
      return `“tools” must be an array; it is ${showName(error.found)}.`;
    case 'no tools result':
      return `None of the ${error.skipped} messages and lines is a tools/list result. ${ACCEPTED}`;
    case 'no chain':
      return `Page ${error.page} of ${error.pages} names no next page, so these results are not one list. Capture one list at a time.`;
  }
}
