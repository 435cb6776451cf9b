import { afterAll, beforeAll } from 'vitest';
import { createGatewayRig, type GatewayRig, type RigOptions, type RunningGateway } from './gateway-rig.ts';

/** What all gateways of a fixture are started with. */
export interface GatewayOptions {
  readonly rig?: RigOptions;
  /** Adds to the environment of each. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A gateway and what it needs. */
export interface OneGateway {
  readonly rig: GatewayRig;
  readonly gateway: RunningGateway;
}

/** Two gateways that share one database, Redis and storage, as peers of one cluster. */
export interface TwoGateways {
  readonly rig: GatewayRig;
  readonly first: RunningGateway;
  readonly second: RunningGateway;
}

/** One for all tests of the calling file; it is started before the first of them. */
export function oneGateway(options: GatewayOptions = {}): OneGateway {
  const started = startBefore(['peer1'], options);
  return {
    get rig() {
      return started().rig;
    },
    get gateway() {
      return started().gateway(0);
    },
  };
}

/** Two for all tests of the calling file; they are started before the first of them. */
export function twoGateways(options: GatewayOptions = {}): TwoGateways {
  const started = startBefore(['peer1', 'peer2'], options);
  return {
    get rig() {
      return started().rig;
    },
    get first() {
      return started().gateway(0);
    },
    get second() {
      return started().gateway(1);
    },
  };
}

function startBefore(peerNames: readonly string[], { rig: rigOptions, env }: GatewayOptions) {
  const resources = new AsyncDisposableStack();
  let rig: GatewayRig | undefined;
  let gateways: readonly RunningGateway[] = [];
  beforeAll(async () => {
    const prepared = resources.use(await createGatewayRig(rigOptions));
    gateways = await Promise.all(peerNames.map(async (peerName) => resources.use(await prepared.start(peerName, env))));
    rig = prepared;
  });
  afterAll(() => resources.disposeAsync());
  return () => {
    if (rig === undefined) throw new Error('gateways only exist while tests run');
    return { rig, gateway: (index: number) => gateways[index]! };
  };
}
