import { createHash } from 'node:crypto';
import type { Pictures, TokenCard } from '../ports/pictures.ts';
import { createSlots } from './slots.ts';

/** Decoding is the dearest thing that a stranger can ask for: two at a time bound its memory to some 200 MB. */
const AT_ONCE = 2;

/** Cards of some 50 kB; the same one is drawn once while people share it. */
const KEPT_CARDS = 200;

/** Pictures through libvips, which is loaded for the first of them: starting takes long enough without. */
export function createPictures(): Pictures {
  const slot = createSlots(AT_ONCE);
  const cards = new Map<string, Promise<Uint8Array>>();
  return {
    normalise: (bytes) => slot(async () => (await import('./normalise-picture.ts')).normalisePicture(bytes)),
    card: (card) => {
      const key = cardKey(card);
      const kept = cards.get(key);
      if (kept !== undefined) return kept;
      const drawn = slot(async () => (await import('./draw-card.ts')).drawCard(card));
      cards.set(key, drawn);
      drawn.catch(() => cards.delete(key));
      const [oldest] = cards.keys();
      if (cards.size > KEPT_CARDS && oldest !== undefined) cards.delete(oldest);
      return drawn;
    },
  };
}

function cardKey({ picture, ...words }: TokenCard): string {
  return createHash('sha256')
    .update(JSON.stringify(words))
    .update('|')
    .update(picture ?? '')
    .digest('hex');
}
