import type { ServerResponse } from 'node:http';
import type { StoredFile } from '../core/files.ts';

/**
 * Serves uploaded bytes. Only a file whose magic bytes show png, jpeg or webp is shown inline; anything else is offered as a download of
 * unknown type: an uploaded SVG or HTML page would otherwise run in our origin.
 */
export function sendFile(response: ServerResponse, file: StoredFile): void {
  response.writeHead(200, {
    'content-type': file.image?.mime ?? 'application/octet-stream',
    'content-disposition': file.image === undefined ? 'attachment' : 'inline',
    'content-length': file.bytes.length,
    'cache-control': 'private, max-age=86400, immutable',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(file.bytes);
}
