import type { MetadataFileType } from '../../ports/metadata-store.ts';
import { INERT, type Page } from './page.ts';

const MEDIA_TYPES: Readonly<Record<MetadataFileType, string>> = {
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/** Documents of tokens, as their creators' wallets stored them. */
export const metadataFiles: Page = storedFiles('metadata', ['json']);
/** Pictures of tokens, as we encoded them. */
export const imageFiles: Page = storedFiles('images', ['png', 'jpg']);

function storedFiles(folder: string, types: readonly MetadataFileType[]): Page {
  return {
    path: `/${folder}/:name`,
    handle: async ({ metadata }, { name }) => {
      const [, sha256 = '', ending = ''] = /^([0-9a-f]{64})\.([a-z]+)$/.exec(name) ?? [];
      const type = types.find((known) => known === ending);
      const body = type === undefined ? null : await metadata.find(sha256, type);
      if (type === undefined || body === null) {
        const error = {
          code: 'NOT_FOUND',
          message: `no such file; expected <sha256>.${types.join(' or .')}`,
        };
        // Not kept long: the file may be stored the next moment.
        const text = JSON.stringify({ error });
        return {
          status: 404,
          type: MEDIA_TYPES.json,
          body: text,
          contentSecurityPolicy: INERT,
          cacheSeconds: 5,
        };
      }
      return {
        status: 200,
        type: MEDIA_TYPES[type],
        body,
        contentSecurityPolicy: INERT,
        cacheSeconds: 'immutable',
      };
    },
  };
}
