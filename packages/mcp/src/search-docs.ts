import { type Passage, passagesOf, rank } from './rank.ts';
import { isObject, type Service } from './service.ts';

/** Guides change with a release of the service, so they are read again after this long. */
const FRESH_MS = 10 * 60_000;
const MOST = 5;

/** A search over the guides and the operations of the service, which are read when they are first needed. */
export function createDocs(service: Service) {
  let kept: { readonly at: number; readonly passages: readonly Passage[] } | null = null;
  return {
    /** The passages that fit best, the best one first. Rejects with ServiceError. */
    search: async (query: string, signal: AbortSignal) => {
      if (kept === null || performance.now() - kept.at > FRESH_MS)
        kept = { at: performance.now(), passages: await readAll(service, signal) };
      const found = rank(kept.passages, query).slice(0, MOST);
      return { query, found: found.map(({ path, title, text }) => ({ path, title, text })) };
    },
  };
}

async function readAll(service: Service, signal: AbortSignal): Promise<readonly Passage[]> {
  const list = await service.read('/llms.txt', signal);
  const guides = [...list.matchAll(/\]\((\/docs\/[\w-]+\.md)\)/g)].map(([, path = '']) => path);
  const texts = await Promise.all(
    guides.map(async (path) => passagesOf(path, await service.read(path, signal))),
  );
  const document: unknown = JSON.parse(await service.read('/openapi.json', signal));
  return [...texts.flat(), ...operationsOf(document)];
}

function operationsOf(document: unknown): readonly Passage[] {
  if (!isObject(document) || !isObject(document['paths'])) return [];
  return Object.entries(document['paths']).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]): readonly Passage[] => {
      if (!isObject(operation)) return [];
      const { operationId, summary, description } = operation;
      return [
        {
          path: `/docs/reference/${String(operationId)}`,
          title: `${method.toUpperCase()} ${path}: ${String(summary)}`,
          text: `${String(description)}`,
        },
      ];
    }),
  );
}
