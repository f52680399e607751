/** What all printers of a destination offer, so that each of them can print each of its jobs. A pure function. */
import { isDeepStrictEqual } from 'node:util'
import { type Choice, findDefaultPaper, type Offer, USUAL_RESOLUTION } from './offer.ts'

/**
 * Names are options, so a paper or tray is offered if all have it under one name. A default is one that all have.
 *
 * @param offers at least one.
 */
export function intersectOffers(offers: Offer[]): Offer {
  const [first, ...others] = offers as [Offer, ...Offer[]]
  const choices = <One extends Choice>(read: (offer: Offer) => One[]): One[] =>
    read(first).filter(({ keyword, name }) =>
      others.every((other) => read(other).some((one) => one.keyword === keyword && one.name === name)),
    )
  const values = <One>(read: (offer: Offer) => One[]): One[] =>
    read(first).filter((value) => others.every((other) => read(other).some((one) => isDeepStrictEqual(one, value))))
  const smallest = (read: (offer: Offer) => number) => Math.min(...offers.map(read))
  const papers = choices((offer) => offer.papers)
  const resolutions = values((offer) => offer.resolutions)
  const nup = values((offer) => offer.nup)
  const defaults = Object.fromEntries(
    Object.entries(first.defaults).filter(([name, value]) =>
      others.every((other) => isDeepStrictEqual(other.defaults[name], value)),
    ),
  )
  const isDefaultOfAll = others.every((other) => other.defaultPaper?.keyword === first.defaultPaper?.keyword)
  return {
    papers,
    defaultPaper: findDefaultPaper(papers, isDefaultOfAll ? first.defaultPaper?.name : undefined),
    sources: choices((offer) => offer.sources),
    types: choices((offer) => offer.types),
    resolutions: resolutions.length > 0 ? resolutions : [USUAL_RESOLUTION],
    margin: Math.max(...offers.map(({ margin }) => margin)),
    duplex: offers.every(({ duplex }) => duplex),
    color: offers.every(({ color }) => color),
    collate: offers.every(({ collate }) => collate),
    copies: smallest(({ copies }) => copies),
    copiesMax: smallest(({ copiesMax }) => copiesMax),
    nup: nup.length > 0 ? nup : [1],
    ppm: smallest(({ ppm }) => ppm),
    formats: values((offer) => offer.formats),
    raw: offers.every(({ raw }) => raw),
    defaults,
  }
}
