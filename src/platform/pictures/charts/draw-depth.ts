import type { Marks } from '../../../core/text/figures.ts';
import type { DepthPicture } from '../../ports/charts.ts';
import { compactLabel } from '../rules/labels.ts';
import { frame, type Pen, rule, startPicture, toPng, write } from './canvas.ts';
import { type Theme, themeOf } from './theme.ts';

const SIZE = [1_280, 800] as const;
const PLOT = { left: 40, right: 1_240, top: 190, bottom: 690 };
const MIDDLE = (PLOT.left + PLOT.right) / 2;

type Step = DepthPicture['buy'][number];
/** The scale of both sides: width of a step and height of an amount, in pixels. */
type Places = {
  readonly step: number;
  readonly heightOf: (amount: number) => number;
  /** Said where the market has no more. */
  readonly none: string;
  readonly marks: Marks;
};

/** See `Charts.depth`. Sells lie left of the middle, buys right; each step has the same width, so that near ones can be read. */
export async function drawDepth(picture: DepthPicture): Promise<Uint8Array> {
  const steps = [...picture.buy, ...picture.sell];
  if (steps.length === 0) throw new RangeError('a depth chart needs at least one step');
  const theme = themeOf(picture.look);
  const { canvas, pen } = startPicture(...SIZE, theme);
  frame(pen, picture, theme, SIZE);
  const most = Math.max(...steps.map(({ amount }) => amount ?? 0));
  const places: Places = {
    none: picture.texts.none,
    marks: picture.look.marks,
    step: (PLOT.right - PLOT.left) / 2 / Math.max(picture.buy.length, picture.sell.length),
    heightOf: (amount) => (most === 0 ? 0 : (amount / most) * (PLOT.bottom - PLOT.top)),
  };
  write(pen, `◀ ${picture.texts.sell}`, PLOT.left, 128, { size: 26, colour: theme.down, bold: true });
  write(pen, `${picture.texts.buy} ▶`, PLOT.right, 128, {
    size: 26,
    colour: theme.up,
    bold: true,
    align: 'right',
  });
  drawSide(pen, picture.sell, -1, [theme.down, theme], places);
  drawSide(pen, picture.buy, 1, [theme.up, theme], places);
  rule(pen, [MIDDLE, PLOT.top - 30, MIDDLE, PLOT.bottom], theme.soft, { dashed: true });
  rule(pen, [PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom], theme.grid);
  return toPng(canvas);
}

function drawSide(
  pen: Pen,
  steps: readonly Step[],
  side: 1 | -1,
  [colour, theme]: readonly [string, Theme],
  { step, heightOf, none, marks }: Places,
): void {
  steps.forEach(({ percent, amount }, index) => {
    const near = MIDDLE + side * index * step;
    const far = near + side * step;
    const middle = (near + far) / 2;
    const top = PLOT.bottom - heightOf(amount ?? 0);
    const sign = side === 1 ? '+' : '−';
    write(pen, `${sign}${percent}${marks.spacedPercent}`, middle, PLOT.bottom + 28, {
      size: 24,
      colour: theme.soft,
      align: 'center',
    });
    write(pen, amount === null ? none : compactLabel(marks, amount), middle, top - 24, {
      size: 26,
      colour: amount === null ? theme.soft : theme.text,
      bold: true,
      align: 'center',
      width: step - 8,
    });
    if (amount === null) return;
    pen.globalAlpha = 0.3;
    pen.fillStyle = colour;
    pen.fillRect(Math.min(near, far), top, step, PLOT.bottom - top);
    pen.globalAlpha = 1;
    rule(pen, [near, top, far, top], colour, { width: 4 });
  });
}
