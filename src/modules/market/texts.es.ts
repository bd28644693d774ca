import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** El gráfico de un token. */
export const esChart = {
  'btn.chart': 'Gráfico',
  'btn.candles': 'Velas',
  'btn.depth': 'Profundidad',

  'chart.title': '<b>{name}</b> ({symbol})',
  'chart.candles': '{span} · {price} · {change} en esta imagen\nMínimo {low} · máximo {high}',
  'chart.none':
    'Aquí no se ha visto ninguna operación en este periodo ({span}), así que no hay nada que dibujar.',
  'chart.depth': 'SOL que mueve el precio hasta ahí:',
  'chart.depth_row': '{percent}: sube {buy} · baja {sell}',
  'chart.no_depth': 'Ahora mismo ningún mercado lo negocia contra SOL.',
  'chart.slot': 'slot {slot}',
  'chart.footer_one': 'de 1 operación vista por este servicio',
  'chart.depth_sell': 'vendido, en SOL',
  'chart.depth_buy': 'comprado, en SOL',
  'chart.depth_none': 'no hay más',
  'chart.footer': 'de {count} operaciones vistas por este servicio',
  'chart.depth_title': 'profundidad',
  'chart.depth_footer': 'todos los mercados contra SOL juntos',
} as const satisfies Catalogue;
