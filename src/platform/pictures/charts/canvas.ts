import { type Canvas, createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { fontFile } from '../fonts.ts';
import type { Theme } from './theme.ts';

export type Pen = SKRSContext2D;

const REGULAR = 'DejaVu Sans';
const BOLD = 'DejaVu Sans Bold';

// From a path: registering a buffer has given the renderer freed memory before. Always named: an unknown family draws nothing.
GlobalFonts.registerFromPath(fontFile('DejaVuSans'), REGULAR);
GlobalFonts.registerFromPath(fontFile('DejaVuSans-Bold'), BOLD);

/** A canvas filled with the theme's ground, and its pen. */
export function startPicture(width: number, height: number, theme: Theme): { canvas: Canvas; pen: Pen } {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = theme.ground;
  pen.fillRect(0, 0, width, height);
  pen.textBaseline = 'middle';
  return { canvas, pen };
}

export async function toPng(canvas: Canvas): Promise<Uint8Array> {
  return new Uint8Array(await canvas.encode('png'));
}

type TextStyle = {
  readonly size: number;
  readonly colour: string;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  /** Longer text is made smaller, down to the size that survives a chat's compression, and then cut. */
  readonly width?: number;
};

/** Below this, text does not survive the compression of a chat. */
const SMALLEST = 22;

/** One line of text, its middle at `y`. */
export function write(pen: Pen, text: string, x: number, y: number, style: TextStyle): void {
  const family = style.bold === true ? BOLD : REGULAR;
  let size = style.size;
  let shown = text;
  pen.font = `${size}px "${family}"`;
  if (style.width !== undefined) {
    while (size > SMALLEST && pen.measureText(shown).width > style.width) {
      size -= 2;
      pen.font = `${size}px "${family}"`;
    }
    while (shown.length > 1 && pen.measureText(shown).width > style.width)
      shown = `${Array.from(shown).slice(0, -2).join('')}…`;
  }
  pen.fillStyle = style.colour;
  pen.textAlign = style.align ?? 'left';
  pen.fillText(shown, x, y);
}

/** A straight line; dashed where it marks something that is not a print. */
export function rule(
  pen: Pen,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  colour: string,
  options: { readonly width?: number; readonly dashed?: boolean } = {},
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = options.width ?? 2;
  pen.setLineDash(options.dashed === true ? [10, 8] : []);
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
  pen.setLineDash([]);
}

/** Text on a filled plate, its left edge at `x`; the plate is as wide as its text. Says how wide that was. */
export function plate(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  colours: { readonly ground: string; readonly text: string },
): number {
  pen.font = `24px "${BOLD}"`;
  const width = pen.measureText(text).width + 16;
  pen.fillStyle = colours.ground;
  pen.fillRect(x, y - 18, width, 36);
  write(pen, text, x + 8, y, { size: 24, colour: colours.text, bold: true });
  return width;
}

/** Title, subtitle and footer are at the same places in every chart. */
export function frame(
  pen: Pen,
  { title, subtitle, footer }: { readonly title: string; readonly subtitle: string; readonly footer: string },
  theme: Theme,
  [width, height]: readonly [number, number],
): void {
  write(pen, title, 24, 38, { size: 34, colour: theme.text, bold: true, width: width - 48 });
  write(pen, subtitle, 24, 78, { size: 22, colour: theme.soft, width: width - 48 });
  write(pen, footer, width - 24, height - 10 - 6, {
    size: 22,
    colour: theme.soft,
    align: 'right',
    width: width - 48,
  });
}
