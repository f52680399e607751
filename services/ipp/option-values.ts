/** Values of IPP for values of print options, which agents send and the gateway receives. */

/** `sides` by the option `duplex` (RFC 8011, section 5.2.8). */
export const SIDES = {
  'one-sided': 'one-sided',
  'long-edge': 'two-sided-long-edge',
  'short-edge': 'two-sided-short-edge',
} as const

/** `orientation-requested` by clockwise angle. RFC 8011, section 5.2.10, counts counterclockwise. */
export const ORIENTATIONS: Readonly<Record<string, number>> = { 90: 5, 180: 6, 270: 4 }

/** `orientation-requested` of a page as it is. */
export const PORTRAIT = 3
