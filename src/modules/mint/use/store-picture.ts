import type { MetadataStore, StoredFile } from '../../../platform/ports/metadata-store.ts';
import type { Picture, Pictures } from '../../../platform/ports/pictures.ts';

export type StoredPicture = StoredFile & Pick<Picture, 'width' | 'height'>;

/**
 * Takes a picture from a stranger: a chat photo or an upload. Only our own encoding of its pixels is kept. Throws PICTURE_TOO_LARGE,
 * PICTURE_UNREADABLE, and the errors of `MetadataStore.put`.
 */
export async function storePicture(
  deps: {
    readonly pictures: Pick<Pictures, 'normalise'>;
    readonly metadata: Pick<MetadataStore, 'put'>;
  },
  bytes: Uint8Array,
): Promise<StoredPicture> {
  const picture = await deps.pictures.normalise(bytes);
  const { width, height } = picture;
  return { ...(await deps.metadata.put(picture.type, picture.bytes)), width, height };
}
