import type { CandlesPicture } from '../../ports/charts.ts';
import { type CandleLayout, type CandleShape, layoutCandles, PLOT } from '../rules/candles.ts';
import { frame, type Pen, plate, rule, startPicture, toPng, write } from './canvas.ts';
import { type Theme, themeOf } from './theme.ts';

const SIZE = [1_280, 800] as const;
const AXIS = PLOT.right + 10;

/** See `Charts.candles`. */
export async function drawCandles(picture: CandlesPicture): Promise<Uint8Array> {
  const layout = layoutCandles(picture);
  const theme = themeOf(picture.look);
  const { canvas, pen } = startPicture(...SIZE, theme);
  frame(pen, picture, theme, SIZE);
  drawGrid(pen, layout, theme);
  for (const shape of layout.candles) drawCandle(pen, shape, theme);
  drawLines(pen, layout, theme);
  for (const mark of layout.marks) drawMark(pen, mark, theme);
  drawLast(pen, layout, theme);
  return toPng(canvas);
}

function drawGrid(pen: Pen, layout: CandleLayout, theme: Theme): void {
  for (const { y, text } of layout.prices) {
    rule(pen, [PLOT.left, y, PLOT.right, y], theme.grid);
    // The tag of the last price covers its neighbour, so the neighbour is left out.
    if (Math.abs(y - layout.last.y) > 30)
      write(pen, text, AXIS, y, { size: 22, colour: theme.soft, width: 158 });
  }
  for (const { x, text } of layout.times) {
    rule(pen, [x, PLOT.top, x, PLOT.volumeBottom], theme.grid);
    if (x > 60 && x < PLOT.right - 20)
      write(pen, text, x, PLOT.labels - 12, { size: 22, colour: theme.soft, align: 'center' });
  }
  rule(pen, [PLOT.left, PLOT.volumeBottom, PLOT.right, PLOT.volumeBottom], theme.grid);
  write(pen, `vol ${layout.mostVolume}`, AXIS, PLOT.volumeTop + 12, {
    size: 22,
    colour: theme.soft,
    width: 158,
  });
}

/** Rising is hollow, falling is filled: the picture reads without its colours. */
function drawCandle(pen: Pen, shape: CandleShape, theme: Theme): void {
  const colour = shape.up ? theme.up : theme.down;
  const middle = shape.x + shape.width / 2;
  const top = Math.min(shape.open, shape.close);
  const height = Math.max(2, Math.abs(shape.open - shape.close));
  rule(pen, [middle, shape.high, middle, top], colour);
  rule(pen, [middle, top + height, middle, shape.low], colour);
  if (shape.up) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.strokeRect(shape.x + 1, top, Math.max(1, shape.width - 2), height);
  } else {
    pen.fillStyle = colour;
    pen.fillRect(shape.x, top, shape.width, height);
  }
  pen.globalAlpha = 0.45;
  pen.fillStyle = colour;
  pen.fillRect(shape.x, shape.volumeTop, shape.width, PLOT.volumeBottom - shape.volumeTop);
  pen.globalAlpha = 1;
}

function drawLines(pen: Pen, layout: CandleLayout, theme: Theme): void {
  for (const { y, label, kind } of layout.lines) {
    const colour = kind === 'entry' ? theme.text : theme.accent;
    rule(pen, [PLOT.left, y, PLOT.right, y], colour, { dashed: true });
    plate(pen, label, PLOT.left + 4, y, { ground: colour, text: theme.ground });
  }
}

function drawMark(pen: Pen, { x, y, side }: CandleLayout['marks'][number], theme: Theme): void {
  const down = side === 'buy' ? 1 : -1;
  pen.beginPath();
  pen.moveTo(x, y + 4 * down);
  pen.lineTo(x - 12, y + 26 * down);
  pen.lineTo(x + 12, y + 26 * down);
  pen.closePath();
  pen.fillStyle = side === 'buy' ? theme.up : theme.down;
  pen.fill();
  pen.strokeStyle = theme.text;
  pen.lineWidth = 2;
  pen.stroke();
}

function drawLast(pen: Pen, { last }: CandleLayout, theme: Theme): void {
  const colour = last.up ? theme.up : theme.down;
  rule(pen, [PLOT.left, last.y, PLOT.right, last.y], colour, { dashed: true });
  plate(pen, last.text, PLOT.right + 2, last.y, { ground: colour, text: theme.ground });
}
