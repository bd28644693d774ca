/** The most that is taken; a stream is cut there. Chat photos have a tenth of it. */
export const MAX_PICTURE_BYTES = 5_000_000;

/** A picture as we made it: upright, at most 512 × 512, without metadata of the camera. */
export type Picture = {
  readonly type: 'png' | 'jpg';
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/** A token's picture card. Lines are hostile text; the card shows them, it does not trust them. */
export type TokenCard = {
  readonly symbol: string;
  readonly name: string;
  /** Facts, one per line; long ones are cut. */
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    readonly good: boolean | null;
  }[];
  /** A few words under the QR code, or null. */
  readonly mark: string | null;
  readonly footer: string;
  /** The target of the QR code. */
  readonly link: string;
  /** A picture of ours, or null. */
  readonly picture: Uint8Array | null;
};

export interface Pictures {
  /**
   * Decodes and encodes anew, so that nothing but pixels survives. Throws PICTURE_TOO_LARGE above MAX_PICTURE_BYTES. Throws
   * PICTURE_UNREADABLE: `format` for anything whose content is no JPEG, PNG, WebP or GIF (SVG above all: it can run scripts), `pixels`
   * above 25 million of them, `broken` for a file that cannot be decoded. Of an animation the first frame is kept.
   */
  normalise(bytes: Uint8Array): Promise<Picture>;
  /** A PNG of 1200 × 630, the size that chats preview. Its text needs no font of the machine. */
  card(card: TokenCard): Promise<Uint8Array>;
}
