import QRCode from 'qrcode';
import type { TokenCard } from '../ports/pictures.ts';
import { fontFile } from './fonts.ts';
import { sharp } from './sharp.ts';

const WIDTH = 1_200;
const HEIGHT = 630;
const MARGIN = 60;
const QR = 300;
const PICTURE = 160;
/** Text stays left of the QR code. */
const TEXT_WIDTH = WIDTH - 3 * MARGIN - QR;
const FACTS_AT = 268;
const FACT_STEP = 46;
const MAX_FACTS = 6;

const COLOUR = {
  back: '#10141c',
  edge: '#3f6fd9',
  text: '#f4f6fb',
  soft: '#9aa4b8',
  good: '#4cc38a',
  bad: '#f0a04b',
} as const;

type Layer = { readonly input: Buffer; readonly left: number; readonly top: number };

/** See `Pictures.card`. Put together from pixels, never from SVG: a name in markup would be markup. */
export async function drawCard(card: TokenCard): Promise<Uint8Array> {
  const textLeft = MARGIN + (card.picture === null ? 0 : PICTURE + 30);
  const titleWidth = TEXT_WIDTH - (textLeft - MARGIN);
  const layers: (Layer | null)[] = await Promise.all([
    block(WIDTH, 8, COLOUR.edge, 0, 0),
    card.picture === null ? null : picture(card.picture),
    line(card.symbol, 'DejaVuSans-Bold', 56, COLOUR.text, titleWidth, textLeft, MARGIN + 10),
    line(card.name, 'DejaVuSans', 30, COLOUR.soft, titleWidth, textLeft, MARGIN + 100),
    ...card.facts.slice(0, MAX_FACTS).flatMap(({ label, value, good }, row) => {
      const top = FACTS_AT + row * FACT_STEP;
      const colour = good === null ? COLOUR.soft : good ? COLOUR.good : COLOUR.bad;
      return [
        block(12, 12, colour, MARGIN, top + 9),
        line(label, 'DejaVuSans', 24, COLOUR.soft, 210, MARGIN + 28, top),
        line(value, 'DejaVuSans', 24, COLOUR.text, TEXT_WIDTH - 250, MARGIN + 250, top),
      ];
    }),
    qr(card.link),
    line('Scan for the passport', 'DejaVuSans', 20, COLOUR.soft, QR, WIDTH - MARGIN - QR, MARGIN + QR + 16),
    card.mark === null
      ? null
      : line(card.mark, 'DejaVuSans', 20, COLOUR.soft, QR, WIDTH - MARGIN - QR, MARGIN + QR + 48),
    line(card.footer, 'DejaVuSansMono', 22, COLOUR.soft, WIDTH - 2 * MARGIN, MARGIN, HEIGHT - 54),
  ]);
  const png = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: COLOUR.back } })
    .composite(layers.filter((layer) => layer !== null))
    .png({ compressionLevel: 9, palette: card.picture === null })
    .toBuffer();
  return new Uint8Array(png);
}

async function picture(bytes: Uint8Array): Promise<Layer | null> {
  try {
    const input = await sharp(bytes, { limitInputPixels: 1_000_000 })
      .resize(PICTURE, PICTURE, { fit: 'cover' })
      .png()
      .toBuffer();
    return { input, left: MARGIN, top: MARGIN };
  } catch {
    // A card without its picture is better than none.
    return null;
  }
}

async function qr(link: string): Promise<Layer> {
  const png = await QRCode.toBuffer(link, { type: 'png', width: QR, margin: 3, errorCorrectionLevel: 'M' });
  const input = await sharp(png).resize(QR, QR, { kernel: 'nearest' }).png().toBuffer();
  return { input, left: WIDTH - MARGIN - QR, top: MARGIN };
}

async function block(
  width: number,
  height: number,
  background: string,
  left: number,
  top: number,
): Promise<Layer> {
  const input = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return { input, left, top };
}

/** One line of text, squeezed to the width it has; null for nothing to draw. */
async function line(
  text: string,
  font: Parameters<typeof fontFile>[0],
  size: number,
  colour: string,
  maxWidth: number,
  left: number,
  top: number,
): Promise<Layer | null> {
  const cut = Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, 64).join('');
  if (cut === '') return null;
  const drawn = await sharp({
    text: {
      text: `<span foreground="${colour}">${escapeMarkup(cut)}</span>`,
      font: `${FAMILY[font]} ${size}`,
      fontfile: fontFile(font),
      rgba: true,
      // One pixel per unit of the font size.
      dpi: 72,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  if (drawn.info.width <= maxWidth) return { input: drawn.data, left, top };
  const input = await sharp(drawn.data).resize({ width: maxWidth }).png().toBuffer();
  return { input, left, top };
}

const FAMILY = {
  DejaVuSans: 'DejaVu Sans',
  'DejaVuSans-Bold': 'DejaVu Sans Bold',
  DejaVuSansMono: 'DejaVu Sans Mono',
} as const;

/** The text renderer reads a markup of its own. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
