import type { Pictures } from '../../core/ports/pictures.ts';
import { drawCard } from './draw-card.ts';
import { normalisePicture } from './normalise-picture.ts';
import { createSlots } from './slots.ts';

/** Decoding is the dearest thing that a stranger can ask for: two at a time bound its memory to some 200 MB. */
const AT_ONCE = 2;

/** Pictures through libvips. */
export function createPictures(): Pictures {
  const slot = createSlots(AT_ONCE);
  return {
    normalise: (bytes) => slot(() => normalisePicture(bytes)),
    card: (card) => slot(() => drawCard(card)),
  };
}
