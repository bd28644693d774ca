import type { ChartLook } from '../../ports/charts.ts';

export type Theme = {
  readonly ground: string;
  readonly text: string;
  readonly soft: string;
  readonly grid: string;
  readonly accent: string;
  readonly up: string;
  readonly down: string;
  /** Slices of a ring: neighbours differ in lightness too. */
  readonly slices: readonly string[];
};

const GROUNDS = {
  dark: { ground: '#10141c', text: '#f4f6fb', soft: '#9aa4b8', grid: '#232a38', accent: '#6ea8ff' },
  light: { ground: '#ffffff', text: '#10141c', soft: '#5b6578', grid: '#e3e7ee', accent: '#1f5fd6' },
} as const;

/** Okabe and Ito's colours, which colour-blind people can distinguish; green and red on request. */
const MOVES = {
  'blue-orange': { dark: ['#56b4e9', '#e69f00'], light: ['#0072b2', '#d55e00'] },
  'green-red': { dark: ['#4cc38a', '#ff6b6b'], light: ['#1a7f4b', '#b3261e'] },
} as const;

const SLICES = {
  dark: ['#56b4e9', '#e69f00', '#009e73', '#f0e442', '#cc79a7', '#8f9bff', '#5b6578'],
  light: ['#0072b2', '#e69f00', '#009e73', '#b59f00', '#cc79a7', '#5a5fd6', '#9aa4b8'],
} as const;

export function themeOf({ theme, colours }: ChartLook): Theme {
  const [up, down] = MOVES[colours][theme];
  return { ...GROUNDS[theme], up, down, slices: SLICES[theme] };
}
