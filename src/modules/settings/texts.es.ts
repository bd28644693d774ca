import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** /help, una página por tema. */
export const esHelp = {
  'btn.help_steps': 'Primeros pasos',
  'btn.help_trading': 'Comprar y vender',
  'btn.help_wallets': 'Tus carteras',
  'btn.help_referral': 'Referidos',
  'btn.help_commands': 'Comandos',
  'help.title':
    '<b>Ayuda</b>\nPega la dirección de un token en cualquier momento para ver su ficha. /cancel detiene cualquier pregunta.{source}\n\nEl equipo nunca escribe primero.',
  'help.source': '\nFuente oficial: {url}',
  'help.steps':
    '<b>Primeros pasos</b>\n1. Pulsa <b>Create Deposit Wallet</b>.\n2. /deposit muestra tu dirección y un código QR: envía SOL ahí.\n3. /trade o pega la dirección de un token, elige un importe, revisa los números y confirma.\n4. /withdraw_sol y /withdraw_spl envían tu dinero adonde quieras.',
  'help.trading':
    '<b>Comprar y vender</b>\nLa pantalla de confirmación muestra lo que recibes aproximadamente y como mínimo, el impacto en el precio y cada comisión. Una cotización vale 10 segundos; si el precio se movió más que tu deslizamiento, se te pregunta de nuevo.\n\nImportes: 0,5; max; 50%.\n\nResultado aún desconocido significa eso: no repitas la operación, el bot sigue comprobando y te avisa aquí. Caducada significa que no llegó y ya no puede llegar.',
  'help.wallets':
    '<b>Carteras y seguridad</b>\nUna cartera de depósito la guarda este servicio: su clave está sellada en el servidor. No se hace copia para ti, así que guarda solo lo que uses para operar.\n\nHasta {max} carteras; una borrada se puede restaurar durante {days} días, y en cualquier momento mientras tenga algo. Las comisiones de red las paga la cartera activa.\n\nLos retiros piden tu PIN, escrito como respuesta y borrado al momento. /panic lo congela todo.\n\nNadie de este servicio escribe primero ni pide claves o PIN.',
  'help.referral':
    '<b>Referidos</b>\n/referral te da un enlace. Quienes empiecen con él cuentan como tuyos para siempre, y ganas el {percent} de las comisiones de sus operaciones, tokens nuevos y lanzamientos, en SOL, en tu cartera activa.',
  'help.commands':
    '<b>Comandos</b>\n{list}\n\nTambién: /positions, /orders, /alerts, /wallets, /following, /new, /launch, /my_tokens y /points; /panic lo congela todo al momento.',
  'btn.help_fees': 'Comisiones',
  'btn.help_create': 'Crear y lanzar',
  'btn.help_security': 'Seguridad',
  'btn.help_points': 'Puntos',
  'help.fees':
    '<b>Comisiones</b>\n• Una operación: el {trade} de su parte en SOL, que ves antes de confirmar. Nada si no se hace.\n• Crear un token {create}, lanzarlo {launch}, ambos más los costes de la red.\n• Carteras, depósitos, gráficos, búsqueda y retiros: nada para este servicio.\n\nLa red cobra una comisión pequeña por cada transacción, también por una que falla, y unos 0,002 SOL como depósito por la primera cuenta de un token en tu cartera: vuelven al cerrar esa cuenta.',
  'help.create':
    '<b>Crear y lanzar</b>\n<b>Crear token</b>: eliges símbolo, imagen, cantidad y poderes, y recibes toda la cantidad, por {fee} y los costes de la red. No tiene mercado hasta que alguien abra uno.\n<b>Lanzar</b>: una plataforma crea el token y lo vende desde el primer minuto, a un precio que sube con cada compra.\n\nEn Crear → Mis tokens puedes renunciar a los poderes para siempre; quien compra ve un aviso por cada uno que queda.',
  'help.security':
    '<b>Seguridad</b>\n• Los retiros siempre piden tu PIN; con autenticador, también su código. Pon ambos en Más → Seguridad.\n• Las operaciones por encima de una suma diaria, y las de tokens nuevos o hechos aquí, también piden el PIN.\n• Una dirección de retiro nueva solo se puede usar pasado un tiempo; se te avisa y puedes bloquearla.\n• /panic lo congela todo al momento. Desbloquear pide tu PIN.\n• Haz una copia de cada cartera: un archivo cifrado que se abre sin este servicio.\n\nNadie de este servicio escribe primero ni pide claves o PIN.',
  'help.points':
    '<b>Puntos</b>\nUn saldo interno: no es un token ni tiene valor en dinero. Los recibes por comisiones que de verdad pagaste, por tokens que creaste y por pulsar, y los gastas en la tienda: una comisión menor unos días, una cartera más, una insignia. Ganar → Puntos muestra las reglas.',
} as const satisfies Catalogue;
