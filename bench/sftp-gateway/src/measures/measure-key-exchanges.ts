import { attackedMethods } from '../attack/cheap-exchange.ts';
import { attack } from '../attack/exchange-attack.ts';
import type { BenchSetting } from '../servers/bench-setting.ts';

const seconds = 10;
const connections = 4;

/** Four connections that exchange keys and never log in: the processor time of the attacker, and of the gateway. */
export async function measureKeyExchanges({ ours }: BenchSetting): Promise<void> {
  for (const [index, method] of attackedMethods.entries()) {
    // A separate address: what one has spent does not count for another.
    const localAddress = `127.0.0.${100 + index}`;
    const [attackerBefore, gatewayBefore] = [process.cpuUsage(), await ours.processorSeconds()];
    const outcome = await attack({ port: ours.port, localAddress, method, connections, seconds });
    const gateway = (await ours.processorSeconds()) - gatewayBefore;
    const { user, system } = process.cpuUsage(attackerBefore);
    const attacker = (user + system) / 1_000_000;
    console.log(
      `key exchanges without a login, ${method}, ${connections} connections for ${seconds} s: ` +
        `${outcome.exchanges} exchanges on ${outcome.connections} connections, ` +
        `attacker ${attacker.toFixed(2)} s, gateway ${gateway.toFixed(2)} s of processor time`,
    );
  }
}
