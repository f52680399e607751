/** Commands of ZPL II that are known and do not change a picture. */

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/))

/** Commands that configure the printer, ask it for something or move paper, and put nothing on the label. */
export const WITHOUT_INK = words(`
  ^CM ^CN ^CO ^CP ^CV ^FL ^FM ^PQ ^SF ^DN ^EF ^EG ^HF ^HG ^HH ^HL ^HR ^HT ^HV ^HW ^HY ^HZ ^JB ^JH ^JI ^JJ ^JS ^JT ^JU ^JW ^JZ ^KD ^KL ^KN ^KP
  ^KV ^LF ^MA ^MD ^MF ^MI ^ML ^MM ^MP ^MT ^MW ^NB ^NC ^ND ^NI ^NS ^NT ^NW ^PA ^PF ^PH ^PN ^PP ^PR ^PS ^RB ^RE ^RF ^RI ^RL
  ^RM ^RN ^RP ^RQ ^RR ^RS ^RT ^RU ^RW ^RZ ^SC ^SE ^SI ^SL ^SO ^SP ^SQ ^SR ^SS ^ST ^SX ^SZ ^TO ^WA ^WC ^WD ^WE ^WI ^WL ^WP ^WR
  ^WS ^WT ^WV ^WX ^XB ^XS ^ZZ ^HK ^JL ^WF ^LN ^LB
  ~DB ~DE ~DS ~DT ~EF ~EG ~HB ~HD ~HI ~HL ~HM ~HQ ~HS ~HU ~JA ~JB ~JC ~JD ~JE ~JF ~JG ~JI ~JL ~JN ~JO ~JP ~JQ ~JR ~JS ~JX
  ~KB ~MC ~NC ~NR ~NT ~PH ~PL ~PM ~PP ~PR ~PS ~RO ~RV ~SD ~TA ~WC ~WL ~WQ ~WR ~WX`)

/** Commands that put ink on the label in a way that pictures do not show. */
export const NOT_DRAWN = words(`^BT ^FC ^FE ^IL ^IS ^PX`)

/** Commands whose parameter is text, in which a tilde stands for itself. */
export const TAKES_TEXT = words(`^FD ^FV ^FX ^SN`)
