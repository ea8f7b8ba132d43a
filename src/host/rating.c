/* rating.c - Bradley-Terry ratings by Newton's method.
 *
 * Works in natural units (the logarithm of the odds) on a network of nodes: the players who have
 * played and, where there is a prior, the imagined one. H and J are both Laplacians of that
 * network: a row's sum is 0, since only differences count. Adding a constant to every entry of H
 * makes it invertible and changes nothing in the directions that matter. The likelihood is concave;
 * a step that does not raise it is halved. */
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

/* Each of the nodes that `from` reaches by stepping to those it has taken points from. */
static int reached(const struct network *network, int from, bool backwards) {
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

/* Ford's condition: from everybody to everybody. */
static bool has_maximum(const struct network *network) {
    return reached(network, 0, false) == network->nodes &&
           reached(network, 0, true) == network->nodes;
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
        for (int j = 0; j < network->nodes; j++) {
            if (network->points[i][j] > 0) {
                sum -= network->points[i][j] * log1p(exp(strength[j] - strength[i]));
            }
        }
    }
    return sum;
}

/* Sets the inverse of the Fisher information at the present strengths, by Gauss-Jordan elimination;
 * the matrix is positive definite, so no pivot need be sought. */
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
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) matrix[i][j] += scale / n / n;
    }
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

static void maximize(struct network *network) {
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

/* The variance of a player's strength less the mean of all `players`, which are the first nodes. */
static double variance_of(const struct network *network, int player, int players) {
    int n = network->nodes;
    double lever[NODES_MAX] = {0}, sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < players; j++) {
            lever[i] += ((j == player) - 1.0 / players) * network->inverse[i][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double difference = lever[i] - lever[j];
            sum += network->noise[i][j] * difference * difference;
        }
    }
    return sum;
}

enum rating_kind rating_estimate(const struct statistics *cross, int players,
                                 struct rating *ratings) {
    const double elo = 400 / log(10);
    int node_of[RATING_PLAYERS_MAX], rated = 0;
    struct network network = {0};
    for (int i = 0; i < players; i++) {
        double pairs = 0;
        for (int j = 0; j < players; j++) {
            if (j != i) pairs += statistics_spread(cross[i * players + j].pairs).pairs;
        }
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
    maximize(&network);
    invert_information(&network);
    double mean = 0;
    for (int i = 0; i < rated; i++) mean += network.strength[i] / rated;
    for (int i = 0; i < players; i++) {
        if (node_of[i] < 0) continue;
        double rating = elo * (network.strength[node_of[i]] - mean);
        double error = NORMAL_95 * elo * sqrt(variance_of(&network, node_of[i], rated));
        ratings[i] = (struct rating){rating, rating - error, rating + error};
    }
    return kind;
}
