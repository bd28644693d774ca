import { z } from 'zod';
import { AppError } from '../../core/errors/app-error.ts';
import type { FileShelf, MetadataStore } from '../ports/metadata-store.ts';
import { BLOCK_BYTES, contentId } from './content-id.ts';

const TIMEOUT_MS = 30_000;
const added = z.object({ Hash: z.string().regex(/^[A-Za-z0-9]{40,100}$/) });

/**
 * Files pinned by a node or service that speaks Kubo's RPC, and kept by `own` as well, so that we can serve them and pin them
 * anew elsewhere. Links are `<gateway>/ipfs/<cid>`, or `ipfs://<cid>`. The id that the service answers is compared with the
 * one that the bytes have: a service that keeps something else is PINNING_FAILED, like one that does not answer.
 */
export function createIpfsMetadataStore(
  own: FileShelf,
  options: {
    readonly apiUrl: string;
    readonly token: string | null;
    readonly gatewayUrl: string | null;
  },
): MetadataStore {
  const linkOf = (cid: string): string =>
    options.gatewayUrl === null ? `ipfs://${cid}` : `${options.gatewayUrl}/ipfs/${cid}`;
  return {
    ...own,
    locate: async (type, bytes) => {
      const { sha256 } = await own.locate(type, bytes);
      const cid = contentId(bytes);
      // Documents are some kilobytes; only what one block does not hold has an id that the service decides.
      if (cid === null) throw new RangeError('only a file of one block can be located before it is pinned');
      return { sha256, uri: linkOf(cid) };
    },
    put: async (type, bytes) => {
      const { sha256 } = await own.put(type, bytes);
      const cid = await pin(options, `${sha256}.${type}`, bytes);
      if (type !== 'json') await own.alsoKnownAs({ sha256, type }, cid);
      return { sha256, uri: linkOf(cid) };
    },
  };
}

async function pin(
  { apiUrl, token }: { readonly apiUrl: string; readonly token: string | null },
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)]), name);
  const query = `pin=true&cid-version=1&raw-leaves=true&chunker=size-${BLOCK_BYTES}`;
  let cid: string;
  try {
    const response = await fetch(`${apiUrl}/api/v0/add?${query}`, {
      method: 'POST',
      body: form,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}`);
    // One line per file and folder; the last is the file's.
    cid = added.parse(JSON.parse(text.trim().split('\n').at(-1) ?? '')).Hash;
  } catch (error) {
    throw new AppError(
      'PINNING_FAILED',
      { cause: error instanceof Error ? error.message : String(error) },
      { cause: error },
    );
  }
  const expected = contentId(bytes);
  if (expected !== null && cid !== expected) {
    throw new AppError('PINNING_FAILED', {
      cause: `the service answered ${cid}; these bytes are ${expected}`,
    });
  }
  return cid;
}
