import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Lanzamientos por etapa. */
export const esLaunches = {
  'btn.feed_new': 'Nuevos',
  'btn.feed_near': 'Cerca',
  'btn.feed_graduated': 'Graduados',
  'btn.feed_filter': 'Filtro',
  'btn.feed_alerts': 'Avísame',
  'btn.feed_type': 'Escribir…',
  'btn.feed_clear': 'Quitar',
  'btn.feed_who': 'Primeros',
  'btn.feed_bundle': 'Bundle',
  'btn.feed_snipers': 'Snipers',
  'btn.feed_dev': 'Dev',

  'feed.title_new': '<b>Nuevos</b> · 24 h · pág. {page}',
  'feed.title_near': '<b>Cerca del final</b> · pág. {page}',
  'feed.title_graduated': '<b>Graduados</b> · 24 h · pág. {page}',
  'feed.filtered': 'Filtro: {filter}',
  'feed.none': 'Aquí no se ha visto ninguno',
  'feed.none_pass': 'Ninguno pasa. n/a no pasa nada',
  'feed.row': '{symbol} {age} · {cap} · {curve} · {worst}',
  'feed.worst_dev': 'dev {percent}',
  'feed.worst_bundle': 'bundle {percent}',
  'feed.worst_snipers': 'snipers {percent}',
  'feed.unknown': 'n/a',

  'feed.filter_title': '<b>Filtro</b> · lanzamientos',
  'feed.filter_none': 'Sin filtro: pasan todos',
  'feed.filter_how':
    'Toca uno o escribe, por ejemplo:\nedad&lt;30m cap&gt;5k liq&gt;2k\ntenedores&gt;50 veredicto&lt;cuidado',
  'feed.ask_filter':
    'Envía condiciones separadas por espacios: edad, cap, liq, tenedores, dev, top10, bundle, vendido o veredicto, con &lt; o &gt;. Por ejemplo: edad&lt;1h dev&lt;5 vendido&gt;20. “todos” quita el filtro. Un dato desconocido no pasa ninguna condición.',
  'err.filter_invalid':
    '“{given}” no es una condición. Se espera un dato, &lt; o &gt; y un número, como dev&lt;5 o cap&gt;5k. Los porcentajes llegan a 100 y un veredicto es bien o cuidado.',

  'feed.alerts_title': '<b>Avisos de lanzamientos</b>',
  'feed.alerts_how': 'Un mensaje por cada uno que pase',
  'feed.alerts_limit': '30 por hora; luego, un número.\nNo compran nada',
  'feed.told_new': '🆕 {symbol} se lanzó en {pad}',
  'feed.told_near': '⏳ {symbol} está cerca del final en {pad}',
  'feed.told_graduated': '🎓 {symbol} se graduó de {pad}',
  'feed.gone_new': '{symbol}: la red deshizo su lanzamiento en {pad}.',
  'feed.gone_near': '{symbol} estuvo cerca del final en {pad} un momento. No duró.',
  'feed.gone_graduated': '{symbol}: la red deshizo su graduación de {pad}.',
  'feed.digest': '{count} lanzamientos más pasaron en esa hora. Después de 30 solo los cuento.',

  'feed.who_title': '{symbol} · primeros',
  'feed.dev': 'El dev tiene {held}',
  'feed.dev_traded': 'El dev compró {bought}, vendió {sold}',
  'feed.bundle': 'Bundle {bought} · {count} · tiene {held}',
  'feed.bundle_unknown': 'Bundle n/a',
  'feed.snipers': 'Snipers {bought} · {count} · {held} hoy',
  'feed.snipers_unknown': 'Snipers n/a',
  'feed.fresh': 'Nuevas {fresh} de {known} vistas, {all} en total',
  'feed.fresh_unknown': 'Carteras nuevas n/a',
  'feed.trades_bundle': 'En el slot de su creación: {count}',
  'feed.trades_snipers': 'En los 3 slots siguientes: {count}',
  'feed.trades_dev': 'Operaciones del creador: {count}',
  'feed.no_trades': 'No hay ninguna en la cinta',
  'feed.not_seen': 'Su lanzamiento no se vio aquí.',
} satisfies Catalogue;
