/* rating.c - Bradley-Terry ratings by Newton's method.
 *
 * Works in natural units (log odds) on a network of nodes: the players with pairs and, with a
 * prior, the imaginary one. H and J are Laplacians of that network: rows sum to 0, since only
 * differences count. Adding a constant to every entry of H makes it invertible and changes nothing
 * in the directions that matter. The likelihood is concave; a step that does not raise it is
 * halved. */
#include "rating.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NODES_MAX = RATING_PLAYERS_MAX + 1, ROUNDS_MAX = 200 };

struct network {
    int nodes;
    double pairs[NODES_MAX][NODES_MAX];  /* between two nodes */
    double points[NODES_MAX][NODES_MAX]; /* of the first against the second, in pairs won */
    double noise[NODES_MAX][NODES_MAX];  /* variance of these points */
    double strength[NODES_MAX];
    double inverse[NODES_MAX][NODES_MAX]; /* of H, in the directions that matter */
};

static double logistic(double difference) {
    return 1 / (1 + exp(-difference));
}

/* How many nodes `from` reaches by steps from a node to one that it took points from. */
static int nodes_reached(const struct network *network, int from, bool backwards) {
    bool seen[NODES_MAX] = {false};
    int queue[NODES_MAX], count = 0;
    seen[from] = true;
    queue[count++] = from;
    for (int next = 0; next < count; next++) {
        for (int i = 0; i < network->nodes; i++) {
            double points =
                backwards ? network->points[i][queue[next]] : network->points[queue[next]][i];
            if (seen[i] || points <= 0) continue;
            seen[i] = true;
            queue[count++] = i;
        }
    }
    return count;
}

/* Ford's condition: every node reaches every other. */
static bool has_maximum(const struct network *network) {
    return nodes_reached(network, 0, false) == network->nodes &&
           nodes_reached(network, 0, true) == network->nodes;
}

static void add_prior(struct network *network) {
    static const uint32_t none[PAIR_SCORES] = {0};
    int middle = network->nodes++;
    for (int i = 0; i < middle; i++) {
        network->pairs[i][middle] = network->pairs[middle][i] = 1;
        network->points[i][middle] = network->points[middle][i] = 0.5;
        network->noise[i][middle] = network->noise[middle][i] = statistics_spread(none).variance;
    }
}

static double log_likelihood(const struct network *network, const double *strength) {
    double sum = 0;
    for (int i = 0; i < network->nodes; i++) {
        for (int j = 0; j < network->nodes; j++)
            if (network->points[i][j] > 0)
                sum -= network->points[i][j] * log1p(exp(strength[j] - strength[i]));
    }
    return sum;
}

/* Sets the inverse of the Fisher information at the present strengths, by Gauss-Jordan elimination;
 * the matrix is positive definite, so pivoting is not needed. */
static void invert_information(struct network *network) {
    int n = network->nodes;
    double matrix[NODES_MAX][NODES_MAX] = {{0}}, scale = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            network->inverse[i][j] = i == j;
            if (i == j) continue;
            double expected = logistic(network->strength[i] - network->strength[j]);
            double weight = network->pairs[i][j] * expected * (1 - expected);
            matrix[i][j] -= weight;
            matrix[i][i] += weight;
            scale += weight;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) matrix[i][j] += scale / n / n;
    for (int pivot = 0; pivot < n; pivot++) {
        double factor = 1 / matrix[pivot][pivot];
        for (int j = 0; j < n; j++) {
            matrix[pivot][j] *= factor;
            network->inverse[pivot][j] *= factor;
        }
        for (int i = 0; i < n; i++) {
            double share = matrix[i][pivot];
            if (i == pivot || share == 0) continue;
            for (int j = 0; j < n; j++) {
                matrix[i][j] -= share * matrix[pivot][j];
                network->inverse[i][j] -= share * network->inverse[pivot][j];
            }
        }
    }
}

static void network_maximize(struct network *network) {
    int n = network->nodes;
    double best = log_likelihood(network, network->strength);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double surplus[NODES_MAX] = {0}, step[NODES_MAX] = {0}, longest = 0, size = 2;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double expected = logistic(network->strength[i] - network->strength[j]);
                surplus[i] += network->points[i][j] - network->pairs[i][j] * expected;
            }
        }
        invert_information(network);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) step[i] += network->inverse[i][j] * surplus[j];
            if (fabs(step[i]) > longest) longest = fabs(step[i]);
        }
        if (longest < 1e-10) return;
        double tried[NODES_MAX], likelihood;
        do {
            size /= 2;
            for (int i = 0; i < n; i++) tried[i] = network->strength[i] + size * step[i];
            likelihood = log_likelihood(network, tried);
        } while (likelihood < best - 1e-9 * fabs(best) && size > 1e-9);
        memcpy(network->strength, tried, sizeof tried);
        best = likelihood;
    }
}

/* How all strengths move when a player's strength, relative to the mean of the first `players`
 * nodes, moves by 1 at the least cost in likelihood. */
static void find_lever(const struct network *network, int player, int players, double *lever) {
    int n = network->nodes;
    double width = 0;
    for (int i = 0; i < n; i++) {
        lever[i] = 0;
        for (int j = 0; j < players; j++)
            lever[i] += ((j == player) - 1.0 / players) * network->inverse[i][j];
    }
    for (int j = 0; j < players; j++) width += ((j == player) - 1.0 / players) * lever[j];
    for (int i = 0; i < n; i++) lever[i] /= width;
}

/* Expected minus actual points along the lever after the strengths have moved by `distance`. Grows
 * with the distance. */
static double excess_at(const struct network *network, const double *lever, double distance) {
    double sum = 0;
    for (int i = 0; i < network->nodes; i++) {
        for (int j = 0; j < i; j++) {
            double pull = lever[i] - lever[j];
            double apart = network->strength[i] - network->strength[j] + distance * pull;
            sum += pull * (network->pairs[i][j] * logistic(apart) - network->points[i][j]);
        }
    }
    return sum;
}

/* The distance on one side (-1, 1) at which the points are `off`; infinite if they never are. */
static double distance_to(const struct network *network, const double *lever, int side,
                          double off) {
    const double farthest = 40; /* in natural units, 7,000 Elo */
    double low = 0, high = farthest;
    if (side * excess_at(network, lever, side * high) < off) return side * (double)INFINITY;
    for (int round = 0; round < 50; round++) {
        double middle = (low + high) / 2;
        if (side * excess_at(network, lever, side * middle) < off)
            low = middle;
        else
            high = middle;
    }
    return side * high;
}

/* The ends of the interval around a player's strength, as distances from it. */
static void find_ends(const struct network *network, int player, int players, double ends[2]) {
    double lever[NODES_MAX], variance = 0;
    find_lever(network, player, players, lever);
    for (int i = 0; i < network->nodes; i++) {
        for (int j = 0; j < i; j++) {
            double pull = lever[i] - lever[j];
            variance += network->noise[i][j] * pull * pull;
        }
    }
    double off = NORMAL_95 * sqrt(variance);
    ends[0] = distance_to(network, lever, -1, off);
    ends[1] = distance_to(network, lever, 1, off);
}

enum rating_kind rating_estimate(const struct statistics *cross, int players,
                                 struct rating *ratings) {
    const double elo = 400 / log(10);
    int node_of[RATING_PLAYERS_MAX], rated = 0;
    struct network network = {0};
    for (int i = 0; i < players; i++) {
        double pairs = 0;
        for (int j = 0; j < players; j++)
            if (j != i) pairs += statistics_spread(cross[i * players + j].pairs).pairs;
        node_of[i] = pairs > 0 ? rated++ : -1;
        ratings[i] = (struct rating){NAN, NAN, NAN};
    }
    if (!rated) return RATING_NONE;
    network.nodes = rated;
    for (int i = 0; i < players; i++) {
        for (int j = 0; j < players; j++) {
            int from = node_of[i], to = node_of[j];
            struct pair_spread spread = statistics_spread(cross[i * players + j].pairs);
            if (i == j || from < 0 || to < 0 || spread.pairs <= 0) continue;
            network.pairs[from][to] = spread.pairs;
            network.points[from][to] = spread.pairs * spread.mean;
            network.noise[from][to] = spread.pairs * spread.variance;
        }
    }
    enum rating_kind kind = has_maximum(&network) ? RATING_LIKELY : RATING_PRIOR;
    if (kind == RATING_PRIOR) add_prior(&network);
    network_maximize(&network);
    invert_information(&network);
    double mean = 0;
    for (int i = 0; i < rated; i++) mean += network.strength[i] / rated;
    for (int i = 0; i < players; i++) {
        if (node_of[i] < 0) continue;
        double rating = elo * (network.strength[node_of[i]] - mean), ends[2];
        find_ends(&network, node_of[i], rated, ends);
        ratings[i] = (struct rating){rating, rating + elo * ends[0], rating + elo * ends[1]};
    }
    return kind;
}
