/**
 * Why a running job stops without having failed. `lost`: it is not this worker's any more (aborted, or taken over).
 * `stopping`: this worker ends and hands it back.
 */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly why: 'lost' | 'stopping';

  constructor(why: 'lost' | 'stopping') {
    super(why === 'lost' ? 'The job is no longer held by this worker' : 'The worker stops');
    this.why = why;
  }
}
